import { spawn } from "node:child_process";
import { lchown, lstat, readdir, stat } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";

/** A fault of the machine or of how a command was called; the message is for the owner's terminal. */
export class UpkeepError extends Error {
  override name = "UpkeepError";
}

/** Whom a program runs as, where that is not this process's account. */
export interface RunAs {
  uid: number;
  gid: number;
  home: string;
}

export interface RunOptions {
  cwd: string;
  runAs?: RunAs | undefined;
  env?: NodeJS.ProcessEnv;
  /** The program, and what it started, is ended after it. */
  timeoutMs?: number;
  /** The program writes to the terminal itself. */
  isShown?: boolean;
}

/** How a program ended: 127 where the machine has no such program. */
export interface RunResult {
  code: number;
  /** Of both outputs; empty where they were shown. */
  output: string;
}

/** Runs a program to its end. Never rejects: how it ended is the answer. */
export type Run = (file: string, args: readonly string[], options: RunOptions) => Promise<RunResult>;

function killGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // All of it had ended just then.
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}

export const run: Run = (file, args, { cwd, runAs, env = process.env, timeoutMs, isShown = false }) =>
  new Promise((resolve) => {
    // Where a command keeps its compiled modules is none of another program's business.
    const { NODE_COMPILE_CACHE: _, ...given } = env;
    const child = spawn(file, args, {
      cwd,
      env: runAs ? { ...given, HOME: runAs.home } : given,
      ...(runAs && { uid: runAs.uid, gid: runAs.gid }),
      // A group of its own is ended as a whole: a helper that is left would keep the outputs open.
      detached: timeoutMs !== undefined,
      stdio: ["ignore", isShown ? "inherit" : "pipe", isShown ? "inherit" : "pipe"],
    });
    const { pid } = child;
    const limit =
      timeoutMs !== undefined && pid !== undefined ? setTimeout(() => killGroup(pid), timeoutMs) : undefined;
    const chunks: Buffer[] = [];
    child.stdout?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.stderr?.on("data", (chunk: Buffer) => chunks.push(chunk));
    child.once("error", (error) => resolve({ code: 127, output: error.message }));
    child.once("close", (code) => {
      clearTimeout(limit);
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString().trim() });
    });
  });

/** @returns its output. @throws UpkeepError with what it said, behind `doing` */
export async function runOrFail(
  doing: string,
  runProgram: Run,
  [file, ...args]: readonly [string, ...string[]],
  options: RunOptions,
): Promise<string> {
  const { code, output } = await runProgram(file, args, options);
  if (code === 0) return output;
  throw new UpkeepError(`${doing} failed (exit code ${code})${output ? `:\n${output}` : "."}`);
}

/** The account that owns a folder, for programs that write there; undefined where this process is not root or root owns it. */
export async function findOwner(folder: string, runProgram: Run): Promise<RunAs | undefined> {
  const { uid, gid } = await stat(folder);
  if (process.getuid?.() !== 0 || uid === 0) return undefined;
  const { output } = await runProgram("getent", ["passwd", String(uid)], { cwd: "/" });
  return { uid, gid, home: output.split(":")[5] || "/" };
}

/** Gives a folder and all in it to an account: links themselves, not what they lead to. `from`: only what belongs to that account. */
export async function giveTree(
  path: string,
  to: { uid: number; gid: number },
  { from, isSkipped = () => false }: { from?: number; isSkipped?: (path: string) => boolean } = {},
): Promise<void> {
  if (isSkipped(path)) return;
  try {
    const found = await lstat(path);
    if (from === undefined || found.uid === from) await lchown(path, to.uid, to.gid);
    if (!found.isDirectory()) return;
    for (const name of await readdir(path))
      await giveTree(join(path, name), to, { ...(from !== undefined && { from }), isSkipped });
  } catch (error) {
    // A running site removes its own files meanwhile.
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
  }
}

/**
 * What a command that root ran made in the data folder of a site with an account of its own (keys, pictures, mails) goes to that
 * account, which could not read it otherwise. The database sees to its own files.
 */
export async function giveBackToSite(dataDir: string): Promise<void> {
  const found = await stat(dataDir).catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return undefined;
    throw error;
  });
  if (process.getuid?.() !== 0 || !found || found.uid === 0) return;
  const cluster = join(dataDir, "postgres");
  await giveTree(dataDir, found, { from: 0, isSkipped: (path) => path === cluster });
}

/** Whether something takes connections there. */
export function isListening(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host });
    socket.once("connect", () => {
      socket.destroy();
      resolve(true);
    });
    socket.once("error", () => resolve(false));
  });
}

/** Where a site that listens on every address is asked from its own machine. */
export function toLocalUrl({ host, port }: { host: string; port: number }): string {
  const local = host === "0.0.0.0" ? "127.0.0.1" : host === "::" ? "::1" : host;
  return `http://${local.includes(":") ? `[${local}]` : local}:${port}`;
}

const ASK_EVERY_MS = 200;
const ASK_LIMIT_MS = 5_000;
/** Moves that a page may lead through. */
const MOVES_MAX = 3;

/** How an address answers; undefined where nothing does. */
async function askFully(url: string): Promise<{ status: number; location: string | null } | undefined> {
  try {
    const answer = await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(ASK_LIMIT_MS) });
    await answer.body?.cancel();
    return { status: answer.status, location: answer.headers.get("location") };
  } catch {
    return undefined; // Nothing listens, or it hangs: both are "not yet" to whoever asks.
  }
}

/** The status of an address; undefined where nothing answers. */
export async function ask(url: string): Promise<number | undefined> {
  return (await askFully(url))?.status;
}

/**
 * Whether there is a page, at that path or where the site says that it is now. Undefined: not to be said yet, as nothing answers in
 * time or the site fails, which the first visit after a start may do.
 */
async function hasPage(url: string, path: string): Promise<boolean | undefined> {
  let next = path;
  for (let moves = 0; moves <= MOVES_MAX; moves++) {
    const answer = await askFully(`${url}${next}`);
    if (!answer || answer.status >= 500) return undefined;
    if (answer.location === null) return answer.status === 200;
    // It may name the public address, which is asked here.
    const { pathname, search } = new URL(answer.location, url);
    next = `${pathname}${search}`;
  }
  return false;
}

/**
 * Waits until the site says that it can work and shows the page of the CV, which every site has, whatever is in it; or `limitMs` are
 * over, or `hasFailed` says that waiting is of no use. A site that can work and has no such page is waited for no longer.
 * @returns whether the site works
 */
export async function waitForSite(
  url: string,
  {
    limitMs,
    hasFailed = async () => false,
    sleep,
  }: { limitMs: number; hasFailed?: () => Promise<boolean>; sleep: (ms: number) => Promise<unknown> },
): Promise<boolean> {
  const until = performance.now() + limitMs;
  for (;;) {
    const isReady = (await ask(`${url}/api/health/ready`)) === 200;
    const isThere = isReady ? await hasPage(url, "/cv") : undefined;
    if (isThere !== undefined) return isThere;
    if (performance.now() > until || (await hasFailed())) return false;
    await sleep(ASK_EVERY_MS);
  }
}
