import { join } from "node:path";
import { Argument, type Command } from "commander";
import type { Queryable } from "#server/db/pool.ts";
import { type MoveReport, moveFiles } from "./move.ts";
import { FilesUnavailableError } from "./s3.ts";
import { createLocalStorage } from "./store.ts";
import { type FileStoreConfig, findRemovalFault, openStores, STORAGE_NAMES } from "./stores.ts";

export interface FileCommandDeps {
  dataDir: string;
  /** S3_URL. */
  fileStore: FileStoreConfig | undefined;
  /** Ends work in order when somebody presses Ctrl-C. */
  withStop<Answer>(work: (stop: AbortSignal) => Promise<Answer>): Promise<Answer>;
  /** Keeps the site from starting meanwhile; work ends where `lost` says that it no longer does. @throws where it runs */
  whileStopped<Answer>(
    work: (db: Queryable, lost: AbortSignal | undefined) => Promise<Answer>,
  ): Promise<Answer>;
  onProgress(line: string): void;
  pause?: (ms: number, stop: AbortSignal) => Promise<unknown>;
}

const DIRECTIONS = ["to-s3", "to-folder"] as const;
type Direction = (typeof DIRECTIONS)[number];

const format = (count: number) => count.toLocaleString("en");

function toLines(
  report: MoveReport,
  direction: Direction,
  { from, to }: { from: string; to: string },
): string[] {
  const { copied, copiedBytes, known, removed, faults } = report;
  const lines = [
    ...faults.map((fault) => `NOT moved: ${fault}`),
    `Copied ${format(copied)} objects (${(copiedBytes / 1e6).toFixed(1)} MB) to ${to}; ${format(known)} were there already. Each was compared by its checksum.`,
  ];
  if (removed > 0) lines.push(`Removed ${format(removed)} objects from ${from}.`);
  if (faults.length > 0)
    return [
      ...lines,
      `Not at the new place: ${format(faults.length)}. Mend or delete these, and run this again.`,
    ];
  if (removed === 0)
    lines.push(
      `Nothing was removed from ${from}. What the site stored there meanwhile a second run finds: ${
        direction === "to-s3" ? "restart it with S3_URL" : "restart it without S3_URL"
      }, then run this again.`,
    );
  else if (direction === "to-folder") lines.push("Take S3_URL out of .env before the site starts again.");
  return lines;
}

async function move(
  direction: Direction,
  removes: boolean,
  deps: FileCommandDeps,
): Promise<MoveReport & { lines: string[] }> {
  const { dataDir, fileStore, withStop, whileStopped, onProgress, pause } = deps;
  if (!fileStore)
    throw new MoveError(
      "S3_URL isn't set: it names the bucket. To move files back, set it for this command alone.",
    );
  const bucket = openStores({ dataDir, fileStore });
  const storages = STORAGE_NAMES.map((name) => {
    const [folder, remote] = [createLocalStorage(join(dataDir, name)), bucket.openStorage(name)];
    const [from, to] = direction === "to-s3" ? [folder, remote] : [remote, folder];
    return { name, from, to, isNamedByHash: name === "files" };
  });
  if (direction === "to-s3" || removes) await bucket.place?.check();
  const work = (lost?: AbortSignal) =>
    withStop((stop) => {
      const either = lost ? AbortSignal.any([stop, lost]) : stop;
      return moveFiles({ storages, removes, onProgress, stop: either, ...(pause && { pause }) });
    });
  const removeAlone = async (db: Queryable, lost: AbortSignal | undefined) => {
    const fault = await findRemovalFault(bucket, db, "run this again");
    if (fault !== undefined) throw new MoveError(`Nothing was moved or removed: ${fault}`);
    return work(lost);
  };
  const report = await (removes ? whileStopped(removeAlone) : work());
  const [from, to] =
    direction === "to-s3" ? [dataDir, fileStore.address.title] : [fileStore.address.title, dataDir];
  return { ...report, lines: toLines(report, direction, { from, to }) };
}

class MoveError extends Error {}

/** What isn't everyday has a place in our code that we want to see. */
const isEveryday = (error: unknown): error is Error =>
  error instanceof MoveError ||
  error instanceof FilesUnavailableError ||
  (error instanceof Error && ("code" in error || error.name === "BackupError"));

/** Adds `move-files`. */
export function registerFileCommands(program: Command, deps: FileCommandDeps): void {
  program
    .command("move-files")
    .description(
      "copy uploaded files and pictures from the data folder into the bucket of S3_URL, or back; also beside a running server, and again after it was stopped",
    )
    .addArgument(new Argument("<direction>", "where to").choices(DIRECTIONS))
    .option(
      "--remove",
      "take each object away where it was, once both places were read; the server must be stopped",
    )
    .action(async (direction: Direction, { remove = false }: { remove?: boolean }) => {
      try {
        const { lines, faults } = await move(direction, remove, deps);
        for (const line of lines) program.configureOutput().writeOut?.(`${line}\n`);
        if (faults.length > 0) process.exitCode = 1;
      } catch (error) {
        if (!isEveryday(error)) throw error;
        const next =
          error instanceof MoveError
            ? []
            : ["What was copied stays, and the same command goes on from there."];
        program.error([error.message, ...next].join("\n"), { exitCode: 1 });
      }
    });
}
