import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VersionAnswer } from "#contract/health.ts";
import { AppError } from "#server/base/errors.ts";
import { findNewest } from "./clone.ts";
import type { Run } from "./system.ts";

/** An answer is good for this long: nobody makes the site ask again and again. */
const KEPT_MS = 60_000;
const TIMEOUT_MS = 20_000;
const MAX_REASON = 300;

/** git's words, without a password that the address of the origin may have. */
function toReason(output: string): string {
  const words = output.split(/\s+/).filter(Boolean).join(" ");
  return (
    words.replaceAll(/\/\/[^/@\s]*@/g, "//").slice(0, MAX_REASON) || `nothing within ${TIMEOUT_MS / 1000} s`
  );
}

/** What git needs to reach the origin, proxies among it; the site's secrets are none of its business. */
function toGitEnv(): NodeJS.ProcessEnv {
  const isNeeded = (name: string) => /^(PATH|HOME|SSH_AUTH_SOCK|SSL_CERT_\w+|GIT_\w+|\w+_proxy)$/i.test(name);
  const needed = Object.entries(process.env).filter(([name]) => isNeeded(name));
  // An origin that asks for a password would wait for ever.
  return { ...Object.fromEntries(needed), LANG: "C.UTF-8", GIT_TERMINAL_PROMPT: "0" };
}

/** Tag → the commit that it names: of a tag with a text of its own, the line with `^{}` has it. */
function readTags(output: string): Map<string, string> {
  const tags = new Map<string, string>();
  for (const [, commit = "", tag = ""] of output.matchAll(/^([0-9a-f]+)\trefs\/tags\/(\S+)$/gm))
    tags.set(tag.replace(/\^\{\}$/, ""), commit);
  return tags;
}

/**
 * Looks for a newer version for the console, when somebody asks: only tags are read, nothing is fetched or written. Undefined where the
 * site is no git clone.
 * @param root the clone. It may be somebody else's than this process's: git doesn't mind where its folder is named.
 */
export function createVersionLook({
  root,
  run,
  steadyMs,
}: {
  root: string;
  run: Run;
  steadyMs: () => number;
}): (() => Promise<VersionAnswer>) | undefined {
  const folder = join(root, ".git");
  if (!existsSync(folder)) return undefined;
  const git = (...args: string[]) =>
    run("git", [`--git-dir=${folder}`, ...args], { cwd: "/", timeoutMs: TIMEOUT_MS, env: toGitEnv() });

  async function look(): Promise<VersionAnswer> {
    const { code, output } = await git("ls-remote", "--tags", "origin");
    if (code !== 0) throw new AppError("version_unknown", { vars: { reason: toReason(output) } });
    const tags = readTags(output);
    const newest = findNewest([...tags.keys()]);
    const commit = newest && tags.get(newest);
    if (!commit) return { newer: null };
    // What the clone doesn't even have is not installed: git fails then.
    const isInstalled = (await git("merge-base", "--is-ancestor", commit, "HEAD")).code === 0;
    return { newer: isInstalled ? null : newest };
  }

  let kept: { untilMs: number; answer: Promise<VersionAnswer> } | undefined;
  return () => {
    if (kept && steadyMs() < kept.untilMs) return kept.answer;
    const answer = look();
    kept = { untilMs: steadyMs() + KEPT_MS, answer };
    // Who has mended what failed asks again at once.
    answer.catch(() => {
      if (kept?.answer === answer) kept = undefined;
    });
    return answer;
  };
}
