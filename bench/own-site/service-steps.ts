import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { OWNER } from "#test/e2e/site.ts";
import type { Caller } from "./caller.ts";
import type { OwnSite } from "./open-site.ts";
import { runLine, tryLine } from "./programs.ts";
import { checkImpressum, checkNothingOfSample } from "./start-steps.ts";

/** What the doctor may find amiss here: the domain has no DNS. */
const MISSING_HERE = new Set(["Address"]);

/** The unit, checked by systemd's own tool; what it runs, run without systemd; and the doctor. */
export async function followService(site: OwnSite, caller: Caller): Promise<void> {
  const { clone, folder, env } = site;

  const unit = await site.step("install-service: the unit, taken by systemd-analyze verify", async (take) => {
    const { text } = take("installService");
    const printed = await runLine(text.replace("npm run ", "npm run --silent ").concat(" --print"), {
      cwd: clone,
      env,
    });
    const file = join(folder, "foyer.service");
    writeFileSync(file, printed);
    if (existsSync("/usr/bin/systemd-analyze")) {
      const said = await runLine(`systemd-analyze verify ${file}`, { cwd: folder, env });
      if (said !== "") throw new Error(`systemd-analyze says:\n${said}`);
    } else site.differences.push("systemd-analyze isn't installed: the unit is not verified.");
    return printed;
  });
  site.differences.push(
    "The service is not put into this machine: install-service runs with --print, then by hand its build and what ExecStart= says, " +
      "without the account and the restrictions.",
  );

  await site.step("the site runs by what ExecStart= says", async (take) => {
    take("installService");
    await site.stop();
    await runLine("node bin/build.mjs --to-run", { cwd: clone, env });
    await startByUnit(site, unit);
    await checkNothingOfSample(caller, await caller.logIn(OWNER));
    await checkImpressum(caller);
  });

  await site.step("doctor: nothing to mend but what can't be here", async (take) => {
    const { output } = await tryLine(take("doctor").text, { cwd: clone, env });
    const findings = [...output.matchAll(/^([✓·✗]) (\S+(?: \S+)?)\s{2,}(.*)$/gm)];
    if (findings.length === 0) throw new Error(`the doctor says nothing:\n${output}`);
    for (const [line, mark] of findings) if (mark !== "✓") console.log(`      doctor: ${line}`);
    const bad = findings.filter(([, mark, title]) => mark === "✗" && !MISSING_HERE.has(title ?? ""));
    if (bad.length > 0) throw new Error(`the doctor finds:\n${output}`);
  });
  await site.stop("SIGTERM");
}

const readKey = (unit: string, key: string) => new RegExp(`^${key}=(.*)$`, "m").exec(unit)?.[1] ?? "";

/** Its environment, folder and command, with a cache folder as systemd would make it. */
async function startByUnit(site: OwnSite, unit: string): Promise<void> {
  const cache = join(site.folder, "cache");
  mkdirSync(cache);
  const environment = readKey(unit, "Environment").replace(/\/var\/cache\/\w+/, cache);
  if (readKey(unit, "WorkingDirectory") !== site.clone) throw new Error(`the unit works elsewhere:\n${unit}`);
  // Quoted as in a shell, but for what systemd would expand.
  const command = readKey(unit, "ExecStart").replaceAll("%%", "%").replaceAll("$$", "\\$");
  await site.start(`env ${environment} ${command}`);
}
