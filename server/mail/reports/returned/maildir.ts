import { randomBytes } from "node:crypto";
import { constants } from "node:fs";
import { lstat, open, readdir, rename } from "node:fs/promises";
import { join } from "node:path";
import { RETURNED_LIMITS } from "./returned-mail.ts";

/** Behind the name of a file that a reader has taken: when (ms), and a number of its own. */
const LEASED = /^(.+)\.foyer-(\d{13})-[0-9a-f]{12}$/;
/** After so long a reader has died with its file. One that only was slow, and another one then, store the same report: once. */
const LEASE_MS = 20_000;

export interface MaildirOptions {
  /** With `new`, `cur` and `tmp` in it, as mail servers make it. */
  folder: string;
  /** Stores a mail. Where it fails, the file stays and comes again. After a crash it may come twice. */
  take(raw: Buffer, fileName: string): Promise<void>;
  log: Record<"warn" | "error", (details: object, message: string) => void>;
  everyMs: number;
  now?: () => Date;
}

export interface MaildirReader {
  /** Reads what is there, once. @returns how many files were taken. @throws where the folder can't be read. */
  readOnce(): Promise<number>;
  /** Reads now and again every `everyMs`. */
  start(): void;
  /** Resolves when nothing is read any more. */
  close(): Promise<void>;
}

const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === "ENOENT"; // file errors have a code

/** False: another process was first. */
async function renameIfThere(from: string, to: string): Promise<boolean> {
  try {
    await rename(from, to);
    return true;
  } catch (error) {
    if (isMissing(error)) return false;
    throw error;
  }
}

/** Undefined: it is too large. A link or a pipe is an error, whatever it was when the folder was listed. */
async function readPlainFile(path: string): Promise<Buffer | undefined> {
  const handle = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const about = await handle.stat();
    if (!about.isFile()) throw new Error("this is not a plain file");
    return about.size > RETURNED_LIMITS.mailBytes ? undefined : await handle.readFile();
  } finally {
    await handle.close();
  }
}

/**
 * Reads a folder that a mail server writes to. A file is taken by giving it a name of one's own in `tmp`, which one process
 * alone can do, and moved to `cur` once it is stored. One that a crash left in `tmp` goes back to `new` after 20 seconds,
 * at any reader's next look: its name says when it was taken.
 */
export function createMaildirReader(options: MaildirOptions): MaildirReader {
  const { folder, take, log, now = () => new Date() } = options;
  const toPath = (room: "new" | "cur" | "tmp", name: string) => join(folder, room, name);
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;
  let pass: Promise<unknown> = Promise.resolve();

  /** Plain files alone: what a link leads to is not ours to read. Hidden ones are others' drafts. */
  async function listFiles(room: "new" | "tmp"): Promise<string[]> {
    const path = join(folder, room);
    if (!(await lstat(path)).isDirectory()) throw new Error(`${path} is not a folder`);
    const entries = await readdir(path, { withFileTypes: true });
    return entries
      .filter((entry) => entry.isFile() && !entry.name.startsWith("."))
      .map(({ name }) => name)
      .sort();
  }

  async function putBackAbandoned(): Promise<void> {
    for (const leased of await listFiles("tmp")) {
      const [, name, since] = LEASED.exec(leased) ?? [];
      if (name === undefined || now().getTime() - Number(since) < LEASE_MS) continue;
      if (await renameIfThere(toPath("tmp", leased), toPath("new", name)))
        log.warn({ file: name }, "a returned mail that was left half read is read again");
    }
  }

  async function takeFile(name: string): Promise<boolean> {
    const leased = toPath("tmp", `${name}.foyer-${now().getTime()}-${randomBytes(6).toString("hex")}`);
    if (!(await renameIfThere(toPath("new", name), leased))) return false;
    try {
      const raw = await readPlainFile(leased);
      if (raw) await take(raw, name);
      else log.warn({ file: name }, "a returned mail is too large and was not read");
      await rename(leased, toPath("cur", `${name.replace(/:.*$/, "")}:2,S`));
      return true;
    } catch (error) {
      log.error({ err: error, file: name }, "a returned mail could not be taken yet");
      await renameIfThere(leased, toPath("new", name));
      return false;
    }
  }

  async function readOnce(): Promise<number> {
    await putBackAbandoned();
    let taken = 0;
    for (const name of await listFiles("new")) {
      if (isClosed) break;
      if (await takeFile(name)) taken += 1;
    }
    return taken;
  }

  async function readAndWait(): Promise<void> {
    try {
      await readOnce();
    } catch (error) {
      log.error({ err: error, folder }, "the folder of returned mail can't be read");
    }
    if (!isClosed) timer = setTimeout(next, options.everyMs).unref();
  }

  function next(): void {
    pass = readAndWait();
  }

  return {
    readOnce,
    start: next,
    async close() {
      isClosed = true;
      clearTimeout(timer);
      await pass;
    },
  };
}
