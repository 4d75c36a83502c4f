import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type FileStorage, isFileKey, type StoredEntry } from "./store.ts";

/** What was moved, in numbers, and what couldn't be. */
export interface MoveReport {
  copied: number;
  copiedBytes: number;
  /** They were there already, with the same size and bytes. */
  known: number;
  removed: number;
  /** A line for each object that isn't at the new place as it should be. */
  faults: string[];
}

export interface MoveOptions {
  /** Each storage by its name, at the place that it is moved from and at the one that it is moved to. */
  storages: readonly { name: string; from: FileStorage; to: FileStorage; isNamedByHash: boolean }[];
  /** Takes each object away where it was, once it was read back at the new place. */
  removes: boolean;
  onProgress(line: string): void;
  stop: AbortSignal;
  /** Between two tries of one object. */
  pause?: (ms: number, stop: AbortSignal) => Promise<unknown>;
}

/** As many objects of 20 MB at most are in memory, twice for a moment. */
const AT_ONCE = 8;
/** The service may restart, or be too busy for a moment. Its own pause is over by then. */
const PAUSES_MS = [6_000, 20_000];
const SAID_EVERY = 1_000;
const FAULTS_MAX = 1_000;

/** An object that can't be moved, whatever is tried. */
class ObjectError extends Error {}

interface Hashes {
  sha256: string;
  md5: string;
}

/** Reads an object to its end, a piece at a time. Undefined: it isn't there. */
async function hash(
  storage: FileStorage,
  name: string,
  take: (piece: Buffer) => void = () => undefined,
): Promise<Hashes | undefined> {
  const file = await storage.open(name);
  if (!file) return undefined;
  const [sha256, md5] = [createHash("sha256"), createHash("md5")];
  for await (const piece of file.stream) {
    sha256.update(piece as Buffer); // both kinds of storage give buffers
    md5.update(piece as Buffer);
    take(piece as Buffer);
  }
  return { sha256: sha256.digest("hex"), md5: md5.digest("hex") };
}

/** Pairs two lists in the order of their names. */
async function* pair(
  from: AsyncIterable<StoredEntry>,
  to: AsyncIterable<StoredEntry>,
): AsyncGenerator<Found> {
  const others = to[Symbol.asyncIterator]();
  let other = await others.next();
  for await (const entry of from) {
    while (!other.done && other.value.name < entry.name) other = await others.next();
    yield { entry, known: !other.done && other.value.name === entry.name ? other.value : undefined };
  }
}

type Storages = MoveOptions["storages"][number];
interface Found {
  entry: StoredEntry;
  /** What lies under that name at the new place. */
  known: StoredEntry | undefined;
}

const isOfItsName = (name: string, { sha256 }: Hashes) => sha256.startsWith(name.slice(0, name.indexOf(".")));

/**
 * Whether the same bytes lie at both places, by what one of them says of them without being read: a bucket gives the MD5 of what it
 * stored, and the folder's file is read.
 */
async function isThereAlready(
  { from, to, isNamedByHash }: Storages,
  { entry, known }: Found,
): Promise<boolean> {
  const said = known?.md5 ?? entry.md5;
  if (!known || known.byteSize !== entry.byteSize || said === undefined) return false;
  const hashes = await hash(known.md5 === undefined ? to : from, entry.name);
  return hashes?.md5 === said && (!isNamedByHash || isOfItsName(entry.name, hashes));
}

/** Undefined: it went away meanwhile. @throws ObjectError, or what a storage says */
async function copyObject(
  { from, to, isNamedByHash }: Storages,
  { entry: { name, byteSize }, known }: Found,
): Promise<{ isCopied: boolean; byteSize: number } | undefined> {
  const pieces: Buffer[] = [];
  const source = await hash(from, name, (piece) => pieces.push(piece));
  if (!source) return undefined;
  if (isNamedByHash && !isOfItsName(name, source))
    throw new ObjectError("it is damaged where it is: its bytes aren't those of its name");
  if (known?.byteSize === byteSize && (await hash(to, name))?.sha256 === source.sha256)
    return { isCopied: false, byteSize };
  await to.put(name, Buffer.concat(pieces));
  if ((await hash(to, name))?.sha256 !== source.sha256)
    throw new ObjectError("what was read back at the new place differs from what was written");
  return { isCopied: true, byteSize };
}

const format = (count: number) => count.toLocaleString("en");

/**
 * Copies all objects of each storage to another place, and reads each back. One that is there with the same size and bytes is left
 * alone: a move that was stopped goes on where it was. A fault of one object is written down, and the others are moved.
 * @throws what a storage says again and again, and the reason of `stop`
 */
export async function moveFiles({
  storages,
  removes,
  onProgress,
  stop,
  pause = (ms, signal) => sleep(ms, undefined, { signal }),
}: MoveOptions): Promise<MoveReport> {
  const report: MoveReport = { copied: 0, copiedBytes: 0, known: 0, removed: 0, faults: [] };

  async function moveOnce(storage: Storages, found: Found): Promise<void> {
    // Before anything is taken away both places are read.
    if (!removes && (await isThereAlready(storage, found))) {
      report.known += 1;
      return;
    }
    const copied = await copyObject(storage, found);
    if (!copied) return;
    if (removes) {
      await storage.from.delete(found.entry.name);
      report.removed += 1;
    }
    if (copied.isCopied) {
      report.copied += 1;
      report.copiedBytes += copied.byteSize;
    } else report.known += 1;
  }

  async function move(storage: Storages, found: Found): Promise<void> {
    for (const pauseMs of [...PAUSES_MS, undefined]) {
      stop.throwIfAborted();
      try {
        await moveOnce(storage, found);
        break;
      } catch (error) {
        if (error instanceof ObjectError) {
          report.faults.push(`${storage.name}/${found.entry.name}: ${error.message}.`);
          if (report.faults.length > FAULTS_MAX) throw new Error("Too much is wrong; the move was ended.");
          return;
        }
        if (pauseMs === undefined) throw error;
        await pause(pauseMs, stop);
      }
    }
    const done = report.copied + report.known;
    if (done % SAID_EVERY === 0)
      onProgress(`  ${format(done)} objects, ${format(report.copied)} of them copied`);
  }

  for (const storage of storages) {
    onProgress(`Moving ${storage.name}…`);
    const running = new Set<Promise<void>>();
    // Kept: one that fails while the next names are read leaves the set, and nobody waits for it.
    const failures: unknown[] = [];
    try {
      for await (const found of pair(storage.from.list(), storage.to.list())) {
        stop.throwIfAborted();
        if (failures.length > 0) break;
        if (!isFileKey(found.entry.name)) continue; // a draft
        const work: Promise<void> = move(storage, found)
          .catch((error: unknown) => void failures.push(error))
          .finally(() => running.delete(work));
        running.add(work);
        if (running.size >= AT_ONCE) await Promise.race(running);
      }
    } finally {
      // What is being written comes to its end, also where another one failed.
      await Promise.all(running);
    }
    if (failures.length > 0) throw failures[0];
  }
  return report;
}
