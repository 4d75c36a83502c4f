import { createHash } from "node:crypto";
import { setImmediate as yieldTurn } from "node:timers/promises";
import type pg from "pg";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Leases } from "#server/db/leases/lease.ts";
import { createTurns } from "#server/db/leases/turns.ts";
import type { Floor } from "#server/floor.ts";
import type { Finding } from "#server/health/service.ts";
import type { App } from "#server/http/zod.ts";
import { FILE_MODEL, usedKeysSql } from "#server/models/file-uses.ts";
import { openReplacement, type ReplaceDeps, type ReplaceUses, replaceFile } from "./replace.ts";
import type { FileService } from "./service.ts";
import {
  type CheckedFile,
  type FileStorage,
  selectCheckState,
  selectDueFiles,
  setChecked,
  setStripped,
} from "./store.ts";
import { stripMetadata } from "./strip/strip.ts";
import { removeBytes } from "./writer.ts";

/** Each file is read once a day; a look for those that are due costs one statement. */
const EVERY_MS = 24 * 60 * 60 * 1000;
const LOOK_EVERY_MS = 15 * 60 * 1000;
const SLICE = 10;

export interface FileCheckDeps extends ReplaceDeps {
  pool: pg.Pool;
  leases: Pick<Leases, "keep">;
  storage: Pick<FileStorage, "open">;
  files: Pick<FileService, "store">;
  now: () => Date;
  log: { warn(details: object, message: string): void };
}

/** Reads every stored file once a day, in one process of the site, and compares it with its name, which is its hash. */
export interface FileCheck {
  /** All that is due now, a few at a time; ends early when it is closed. */
  run(): Promise<void>;
  start(): void;
  close(): Promise<void>;
}

/** The content as far as it is there. Read whole: a file has 20 MB at most. */
async function read(storage: FileCheckDeps["storage"], key: string): Promise<Buffer | undefined> {
  const file = await storage.open(key);
  if (!file) return undefined;
  const parts: Buffer[] = [];
  for await (const part of file.stream) parts.push(part as Buffer); // a file's stream gives buffers
  return Buffer.concat(parts);
}

function isRight(key: string, content: Buffer): boolean {
  const hash = createHash("sha256").update(content).digest("hex");
  return hash.startsWith(key.slice(0, key.indexOf(".")));
}

/** A picture from before uploads were stripped gets a new name, and what uses it names that. */
async function stripOld(deps: FileCheckDeps, file: CheckedFile, content: Buffer): Promise<void> {
  let stripped: Buffer;
  try {
    stripped = stripMetadata(content, file.media_type);
  } catch (err) {
    deps.log.warn({ err, key: file.key }, "a stored picture can't be read, and keeps its metadata");
    return;
  }
  if (stripped === content) return;
  const { url } = await deps.files.store(stripped, file.name, [file.media_type], {
    ...SYSTEM_ACTOR,
    userId: file.uploaded_by_id,
  });
  const to = url.slice("/files/".length);
  await replaceFile(deps, { id: file.id, to, keepsMoment: true }, { actor: SYSTEM_ACTOR, lang: "en" });
}

/** Of a failing disk: such a file is damaged, and no reason to leave those behind it unread. */
const UNREADABLE: ReadonlySet<unknown> = new Set(["EIO", "EACCES"]);

async function judge(
  { storage, log }: FileCheckDeps,
  key: string,
): Promise<{ content?: Buffer | undefined; fault: "missing" | "damaged" | null }> {
  try {
    const content = await read(storage, key);
    if (content === undefined) return { fault: "missing" };
    return { content, fault: isRight(key, content) ? null : "damaged" };
  } catch (err) {
    if (!UNREADABLE.has((err as NodeJS.ErrnoException).code)) throw err;
    log.warn({ err, key }, "a stored file can't be read");
    return { fault: "damaged" };
  }
}

async function checkFile(deps: FileCheckDeps, file: CheckedFile): Promise<void> {
  const { pool, feed, now } = deps;
  const { content, fault } = await judge(deps, file.key);
  await setChecked(pool, file.id, fault, now());
  if (fault !== file.fault) {
    if (fault)
      deps.log.warn({ key: file.key, name: file.name, fault }, "a stored file is not as it was stored");
    await notifyChange(pool, FILE_MODEL, toRowChange("updated", [file.id]));
    feed.announce(FILE_MODEL);
  }
  if (!content || fault || file.is_stripped) return;
  await stripOld(deps, file, content);
  await setStripped(pool, file.id);
}

export function createFileCheck(deps: FileCheckDeps): FileCheck {
  const closing = new AbortController();

  async function checkDue(stop: AbortSignal): Promise<void> {
    const before = new Date(deps.now().getTime() - EVERY_MS);
    for (let due: CheckedFile[] = []; !stop.aborted; ) {
      due = await selectDueFiles(deps.pool, before, SLICE);
      if (due.length === 0) return;
      for (const file of due) {
        if (stop.aborted) return;
        await checkFile(deps, file);
        await yieldTurn();
      }
    }
  }
  const turns = createTurns({
    leases: deps.leases,
    name: "checking files",
    everyMs: LOOK_EVERY_MS,
    run: (signal) =>
      checkDue(AbortSignal.any([closing.signal, signal])).catch((err: unknown) => {
        deps.log.warn({ err }, "the check of stored files stopped; it goes on later");
      }),
  });
  return {
    run: () => checkDue(closing.signal),
    start: () => void turns.start(),
    async close() {
      closing.abort();
      await turns.close();
    },
  };
}

/** A sentence names this many. */
const NAMED_MAX = 3;

/** What the daily check found, for the health page: files in use are worse than those that nothing shows. */
async function findFaults({ pool, registry }: Pick<Floor, "pool" | "registry">): Promise<Finding> {
  const { count, checked_at, faulty } = await selectCheckState(pool, usedKeysSql(registry.models));
  if (faulty.length > 0) {
    const names = faulty.slice(0, NAMED_MAX).map(({ name }) => name);
    if (faulty.length > NAMED_MAX) names.push("…");
    const status = faulty.some(({ is_used }) => is_used) ? "critical" : "warning";
    return { status, reason: "files_faulty", vars: { count: faulty.length, names: names.join(", ") } };
  }
  if (checked_at === null) return { status: "healthy" };
  return { status: "healthy", reason: "files_checked", vars: { count, day: checked_at.slice(0, 10) } };
}

/** Replacing files, and their daily check. */
export function openFileCare(
  app: App,
  floor: Floor,
  deps: {
    files: Pick<FileService, "store">;
    replaceUses: ReplaceUses;
    forgetPictures(key: string): Promise<void>;
  },
): { check: FileCheck; checkFiles: () => Promise<Finding> } {
  const contentTypeId = floor.registry.byKey.get(FILE_MODEL)?.contentTypeId ?? null;
  const care = {
    ...floor,
    ...deps,
    contentTypeId,
    removeBytes: (key: string) => removeBytes({ ...floor, ...deps }, key),
  };
  openReplacement(app, floor, care);
  const check = createFileCheck(care);
  app.addHook("onListen", async () => check.start());
  app.addHook("onClose", check.close);
  return { check, checkFiles: () => findFaults(floor) };
}
