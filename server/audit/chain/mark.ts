import { readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Queryable } from "#server/db/pool.ts";
import { selectLastSeal, selectSeals } from "./store.ts";

/** A seal by its number and hash. */
export interface Mark {
  id: string;
  hash: string;
}

/*
 * The newest seal that the site has seen stands in a file of the data folder, where no statement reaches it: a chain whose end was cut
 * off looks whole by itself. It is in no backup.
 */
const toFile = (dataDir: string) => join(dataDir, "audit-newest.txt");

/** Undefined: nothing was seen yet. */
export async function readMark(dataDir: string): Promise<Mark | undefined> {
  const text = await readFile(toFile(dataDir), "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") throw error;
    return "";
  });
  const [, id, hash] = /^(\d{1,18}) ([0-9a-f]{64})\s*$/.exec(text) ?? [];
  return id && hash ? { id, hash } : undefined;
}

/** Undefined takes the mark away: the next seal is a new beginning. */
export async function writeMark(dataDir: string, mark: Mark | undefined): Promise<void> {
  const file = toFile(dataDir);
  if (!mark) return rm(file, { force: true });
  // Another process of the site may write its own at the same time.
  const draft = `${file}.${process.pid}.part`;
  await writeFile(draft, `${mark.id} ${mark.hash}\n`, { mode: 0o600 });
  await rename(draft, file);
}

/** The newest seal of a database. */
export async function readEnd(db: Queryable): Promise<Mark | undefined> {
  const last = await selectLastSeal(db);
  return last && { id: last.id, hash: last.hash };
}

/**
 * Moves the mark on to the newest seal, as long as the seal that it is on is still there.
 * @returns that seal where it is gone: the mark stays then
 */
export async function moveMark(db: Queryable, dataDir: string): Promise<Mark | undefined> {
  // Before the chain: what another process has marked by now is in the chain by now.
  const mark = await readMark(dataDir);
  const end = await readEnd(db);
  if (mark && mark.id === end?.id && mark.hash === end.hash) return undefined;
  if (mark && (await selectSeals(db, mark.id, 1))[0]?.hash !== mark.hash) return mark;
  if (end) await writeMark(dataDir, end);
  return undefined;
}

/** What is wrong with a chain that lacks a seal which was seen. */
export const toMissingEnd = (id: string) =>
  `seal ${id} was there before and is missing: the end of the chain was cut off or replaced`;
