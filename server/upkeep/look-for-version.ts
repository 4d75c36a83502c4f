import { existsSync } from "node:fs";
import { join } from "node:path";
import type { VersionAnswer } from "#contract/health.ts";
import { AppError } from "#server/base/errors.ts";
import { findNewest } from "./clone.ts";
import type { Run } from "./system.ts";

/** An answer is good for this long: nobody makes the site ask again and again. */
const KEPT_MS = 60_000;
const TIMEOUT_MS = 20_000;
const MAX_REASON = 200;

/** git's last words, without a password that the address of the origin may have. */
function toReason(output: string): string {
  const last = output.trim().split("\n").at(-1) ?? "";
  return last.replaceAll(/\/\/[^/@\s]*@/g, "//").slice(0, MAX_REASON) || "nothing";
}

/**
 * Looks for a newer version for the console, when somebody asks: only tags are read, nothing is fetched or written. Undefined where the
 * site is no git clone.
 * @param root the clone. It may be somebody else's than this process's: git is told that it is meant.
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
  if (!existsSync(join(root, ".git"))) return undefined;
  const git = (...args: string[]) =>
    run("git", ["-c", `safe.directory=${root}`, "-C", root, ...args], {
      cwd: "/",
      timeoutMs: TIMEOUT_MS,
      env: {
        PATH: process.env.PATH,
        HOME: process.env.HOME,
        LANG: "C.UTF-8",
        // An origin that asks for a password would wait for ever.
        GIT_TERMINAL_PROMPT: "0",
        GIT_SSH_COMMAND: "ssh -o BatchMode=yes",
      },
    });

  async function look(): Promise<VersionAnswer> {
    const { code, output } = await git("ls-remote", "--tags", "--refs", "origin");
    if (code !== 0) throw new AppError("version_unknown", { vars: { reason: toReason(output) } });
    const commits = new Map(
      Array.from(output.matchAll(/^([0-9a-f]+)\trefs\/tags\/(\S+)$/gm), ([, id = "", tag = ""]) => [tag, id]),
    );
    const newest = findNewest([...commits.keys()]);
    const commit = newest && commits.get(newest);
    if (!commit) return { newer: null };
    // What the clone doesn't even have is not installed: git fails then.
    const isInstalled = (await git("merge-base", "--is-ancestor", commit, "HEAD")).code === 0;
    return { newer: isInstalled ? null : newest };
  }

  let kept: { untilMs: number; answer: Promise<VersionAnswer> } | undefined;
  return () => {
    if (!kept || kept.untilMs <= steadyMs()) kept = { untilMs: steadyMs() + KEPT_MS, answer: look() };
    return kept.answer;
  };
}
