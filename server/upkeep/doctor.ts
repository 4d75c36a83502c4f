import { access, constants, readFile, stat, statfs } from "node:fs/promises";
import { request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { totalmem } from "node:os";
import { join } from "node:path";
import type { TLSSocket } from "node:tls";
import { createTransport } from "nodemailer";
import { checkBackups, checkCopies, checkFiles, type DoctorDeps } from "./doctor-backups.ts";
import { ask, toLocalUrl } from "./system.ts";
import { bad, type Checks, good, note, report, type Verdict } from "./verdict.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const GB = 1e9;
const CERTIFICATE_DAYS_MIN = 14;
const MEMORY_MIN = 0.9 * GB;
const LIMIT_MS = 10_000;

async function checkProgram({ root }: DoctorDeps): Promise<Verdict> {
  const built = await stat(join(root, "dist", ".foyer-build")).catch(() => undefined); // absent: not built
  if (!built) return bad("The pages are not built.", "npm run build");
  return good(`Node ${process.versions.node}, pages built on ${built.mtime.toISOString().slice(0, 10)}.`);
}

async function checkDataFolder({ config: { dataDir } }: DoctorDeps): Promise<Verdict> {
  try {
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT"
      ? note(`${dataDir} is not there yet: the first start makes it.`)
      : bad(
          `${dataDir} can't be written by this account.`,
          `Run the doctor with sudo, or give the folder to the site's account: chown -R <account> ${dataDir}`,
        );
  }
  const { bavail, bsize, blocks } = await statfs(dataDir);
  const free = bavail * bsize;
  const text = `${dataDir}: ${(free / GB).toFixed(1)} GB free.`;
  return free < GB || bavail / blocks < 0.05
    ? bad(text, "Free some space: a full disk refuses every write.")
    : good(text);
}

async function checkMemory(): Promise<Verdict> {
  const text = `${(totalmem() / GB).toFixed(1)} GB of memory.`;
  return totalmem() < MEMORY_MIN ? bad(text, "Building takes 0.6 GB: add memory or swap.") : good(text);
}

async function checkSite({ config, service, run }: DoctorDeps): Promise<Verdict> {
  const url = toLocalUrl(config);
  const live = await ask(`${url}/api/health/live`);
  if (live === undefined) {
    const { code } = await run("systemctl", ["cat", service], { cwd: "/" });
    return bad(
      `Nothing answers at ${url}.`,
      code === 0 ? `sudo systemctl start ${service}, and journalctl -u ${service} -n 50` : "npm start",
    );
  }
  if (live !== 204)
    return bad(
      `${url} answers ${live}: another program listens there.`,
      "Set PORT, or stop the other program.",
    );
  const ready = await ask(`${url}/api/health/ready`);
  return ready === 200
    ? good(`It answers at ${url}, and so does its database.`)
    : bad(
        `It answers at ${url}, but its database doesn't.`,
        `Its log says why: journalctl -u ${service} -n 50, or the terminal that it runs in.`,
      );
}

async function checkService(deps: DoctorDeps): Promise<Verdict> {
  const { service, run } = deps;
  const show = await run(
    "systemctl",
    ["show", service, "-p", "LoadState,ActiveState,UnitFileState,NRestarts,FragmentPath"],
    { cwd: "/" },
  );
  const values = new Map(show.output.split("\n").map((line) => line.split("=", 2) as [string, string]));
  if (show.code !== 0 || values.get("LoadState") !== "loaded")
    return note(
      "Not installed: the site stops when its terminal is closed, and doesn't start with the machine.",
      "sudo npm run foyer -- install-service",
    );
  if (values.get("ActiveState") !== "active")
    return bad(
      `${service}.service is ${values.get("ActiveState")}.`,
      `journalctl -u ${service} -n 50; sudo systemctl start ${service}`,
    );
  if (values.get("UnitFileState") !== "enabled")
    return bad(`${service}.service doesn't start with the machine.`, `sudo systemctl enable ${service}`);
  const unit = await readFile(values.get("FragmentPath") || "/", "utf8").catch(() => undefined); // only root may read it
  const chosen = (key: string) => unit?.match(new RegExp(`^${key}=(.*)$`, "m"))?.[1] ?? "";
  if (
    unit !== undefined &&
    unit !== (await deps.printUnit({ user: chosen("User"), memory: chosen("MemoryMax") }))
  )
    return bad(
      "The unit file is of other settings or of an older version, or was edited.",
      "sudo npm run foyer -- install-service",
    );
  const restarts = Number(values.get("NRestarts") ?? 0);
  return restarts > 0
    ? note(
        `${service}.service runs; since it was started it has ended and come back by itself (${restarts} times).`,
        `journalctl -u ${service} says why.`,
      )
    : good(`${service}.service runs and starts with the machine.`);
}

interface Reached {
  status: number;
  upgraded: boolean;
  /** Of the certificate; undefined over http. */
  validUntil?: Date;
}

/** Asks as a browser's socket does: what comes back says whether the proxy passes `Upgrade` on. @throws what the network says */
function reach(address: string): Promise<Reached> {
  const url = new URL("/socket/websocket?vsn=2.0.0", address);
  const isHttps = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const headers = {
      Connection: "Upgrade",
      Upgrade: "websocket",
      Origin: url.origin,
      "Sec-WebSocket-Version": "13",
      "Sec-WebSocket-Key": Buffer.alloc(16, 1).toString("base64"),
    };
    const request = (isHttps ? requestHttps : requestHttp)(url, {
      headers,
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    request.once("error", reject);
    const finish = (status: number, upgraded: boolean) => {
      const certificate = isHttps ? (request.socket as TLSSocket).getPeerCertificate() : undefined;
      request.destroy();
      resolve({ status, upgraded, ...(certificate && { validUntil: new Date(certificate.valid_to) }) });
    };
    request.once("upgrade", () => finish(101, true));
    request.once("response", ({ statusCode = 0 }) => finish(statusCode, false));
    request.end();
  });
}

async function checkAddress({ config: { publicUrl }, now }: DoctorDeps): Promise<Verdict> {
  if (!publicUrl)
    return note(
      "PUBLIC_URL is not set: links in mails and previews follow each request's address.",
      "Set PUBLIC_URL=https://… once the site has a domain.",
    );
  let reached: Reached;
  try {
    reached = await reach(publicUrl);
  } catch (error) {
    return bad(
      `${publicUrl} can't be reached from this machine: ${(error as Error).message}`,
      "Check DNS, the proxy and the certificate. Behind some routers a machine can't reach its own public address; try from elsewhere.",
    );
  }
  const { status, upgraded, validUntil } = reached;
  if (status >= 500)
    return bad(
      `The proxy at ${publicUrl} answers ${status}.`,
      "Is the site's port the one that the proxy passes on to?",
    );
  if (!upgraded)
    return bad(
      `${publicUrl} passes no WebSockets on (it answers ${status}): lists and rooms ask again and again instead.`,
      'Pass "Upgrade" and "Connection" on (README, "Behind HTTPS").',
    );
  if (!validUntil)
    return good(`${publicUrl} leads here, sockets too; without HTTPS there are no microphones.`);
  const days = Math.floor((validUntil.getTime() - now().getTime()) / DAY_MS);
  return days < CERTIFICATE_DAYS_MIN
    ? bad(`The certificate of ${publicUrl} ends in ${days} days.`, "Look whether the proxy renews it.")
    : good(`${publicUrl} leads here, sockets too; its certificate is good for ${days} days.`);
}

async function checkMail({ config }: DoctorDeps): Promise<Verdict> {
  if (!config.smtpUrl)
    return note(
      "No SMTP_URL: mails are files in the data folder, and nobody gets one.",
      "Set SMTP_URL, MAIL_FROM and PUBLIC_URL.",
    );
  const limits = { connectionTimeout: LIMIT_MS, greetingTimeout: LIMIT_MS, socketTimeout: LIMIT_MS };
  const transport = createTransport({ url: config.smtpUrl, ...limits });
  try {
    await transport.verify();
    return good(`The mail server takes the log-in; mail goes out as ${config.mailFrom.address}.`);
  } catch (error) {
    return bad(
      `The mail server refuses: ${(error as Error).message}`,
      "Check SMTP_URL; then npm run foyer -- mail test you@example.org",
    );
  } finally {
    transport.close();
  }
}

async function checkClock({ run }: DoctorDeps): Promise<Verdict> {
  const { code, output } = await run("timedatectl", ["show", "-p", "NTPSynchronized", "--value"], {
    cwd: "/",
  });
  if (code !== 0) return note("Whether the clock is set by the network can't be told here.");
  return output === "yes"
    ? good("The clock is set by the network.")
    : bad(
        "The clock isn't set by the network: codes and certificates depend on it.",
        "sudo timedatectl set-ntp true",
      );
}

async function checkLog({ config: { databaseUrl, databaseOwnerUrl } }: DoctorDeps): Promise<Verdict> {
  return databaseUrl && !databaseOwnerUrl
    ? note(
        "The site's account of the database may own the audit log: changes of it are found, not refused.",
        'Set DATABASE_OWNER_URL (README, "Moving to a PostgreSQL server").',
      )
    : good("The site adds to the audit log and can't change it.");
}

const CHECKS: Checks<DoctorDeps> = [
  ["Program", checkProgram],
  ["Data folder", checkDataFolder],
  ["Files", checkFiles],
  ["Memory", checkMemory],
  ["Clock", checkClock],
  ["Site", checkSite],
  ["Service", checkService],
  ["Address", checkAddress],
  ["Mail", checkMail],
  ["Backups", checkBackups],
  ["Copies", checkCopies],
  ["Audit log", checkLog],
];

/** Looks at everything that the site stands on. @returns lines for the terminal, and whether there is something to mend. */
export function examine(deps: DoctorDeps): Promise<{ lines: string[]; isWell: boolean }> {
  return report(CHECKS, deps, (error) =>
    bad(`It could not be looked at: ${error.message}`, "Run the doctor with sudo."),
  );
}
