import type pg from "pg";
import { LANGUAGES, type Language } from "#contract/languages.ts";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { FILE_MODEL, usedKeysSql, usesSql } from "#server/models/file-uses.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { deleteFileRow, type FileStorage, hasFile, lockKey, selectUnnamed } from "./store.ts";

/** A sentence names this many places. */
const NAMED_MAX = 5;

/** Where a file is used, as far as the person sees it, in words of one language. */
async function namePlaces(
  db: Queryable,
  { models }: Registry,
  key: string,
  actor: Actor,
  lang: Language,
): Promise<string[]> {
  const reader = { level: actor.level, userId: actor.userId, lang };
  const { rows } = await db.query<{ label: string; repr: string }>(
    `SELECT u.label, u.repr FROM (${usesSql(models, "$1", reader)}) u ORDER BY u.model, u.id LIMIT ${NAMED_MAX + 1}`,
    [key],
  );
  const named = rows.slice(0, NAMED_MAX).map(({ label, repr }) => `${label} “${repr}”`);
  return rows.length > NAMED_MAX ? [...named, "…"] : named;
}

/** @throws AppError file_in_use, which names the places, or file_in_use_unseen where the person sees none of them. */
async function requireUnused(db: Queryable, registry: Registry, key: string, actor: Actor): Promise<void> {
  const { rowCount } = await db.query(
    `SELECT FROM (${usedKeysSql(registry.models)}) k WHERE k.key = $1 LIMIT 1`,
    [key],
  );
  if (rowCount === 0) return;
  const places: Partial<Record<Language, string>> = {};
  for (const lang of LANGUAGES) places[lang] = (await namePlaces(db, registry, key, actor, lang)).join(", ");
  const { en = "", tr = "" } = places;
  if (en === "") throw new AppError("file_in_use_unseen");
  throw new AppError("file_in_use", { vars: { places: { en, tr } } });
}

export interface FileWriterDeps {
  pool: pg.Pool;
  storage: Pick<FileStorage, "delete">;
  registry: Registry;
  log: { warn(details: object, message: string): void };
  /** Smaller pictures of a file go with it. */
  forgetPictures(key: string): Promise<void>;
}

type Removal = Pick<FileWriterDeps, "pool" | "storage" | "forgetPictures">;

async function removeUnlessNamed({ pool, storage, forgetPictures }: Removal, key: string): Promise<void> {
  await withTransaction(pool, async (client) => {
    await lockKey(client, key);
    if (await hasFile(client, key)) return;
    await storage.delete(key);
    await forgetPictures(key);
  });
}

/**
 * Takes the bytes of a file away, unless it was uploaded again meanwhile. A crash before it leaves bytes that no row names; so does a
 * store on another machine that is away: what was asked for has happened, nobody reaches them, and the daily sweep takes them.
 */
export async function removeBytes(deps: Omit<FileWriterDeps, "registry">, key: string): Promise<void> {
  await removeUnlessNamed(deps, key).catch((err: unknown) => {
    if (!(err instanceof AppError) || err.code !== "files_unavailable") throw err;
    deps.log.warn({ err, key }, "the bytes of a deleted file could not be removed yet");
  });
}

/** A younger file may belong to an upload that is being written down right now. */
const SWEPT_AGE_MS = 24 * 60 * 60 * 1000;
const SWEPT_AT_ONCE = 500;

/** Takes away old bytes that no row names; ends early with `stop`. @returns how many files these were */
export async function sweepBytes(
  deps: Removal & { storage: Pick<FileStorage, "delete" | "list"> },
  now: Date,
  stop?: AbortSignal,
): Promise<number> {
  let removed = 0;
  let old: string[] = [];
  const sweep = async () => {
    const unnamed = await selectUnnamed(deps.pool, old);
    for (const key of unnamed) await removeUnlessNamed(deps, key);
    removed += unnamed.length;
    old = [];
  };
  for await (const { name, writtenAt } of deps.storage.list()) {
    if (stop?.aborted) return removed;
    if (now.getTime() - writtenAt.getTime() > SWEPT_AGE_MS) old.push(name);
    if (old.length === SWEPT_AT_ONCE) await sweep();
  }
  if (old.length > 0) await sweep();
  return removed;
}

/** Files are deleted by the console; they come by uploads, and another one takes their place by its own call. */
export function createFileWriters(deps: FileWriterDeps): ReadonlyMap<string, RecordWriter> {
  const writer: RecordWriter = {
    async prepare() {},
    async create() {
      throw new AppError("permission_denied");
    },
    async update() {
      throw new AppError("permission_denied");
    },
    async delete(db, id, actor) {
      const { rows } = await db.query<{ key: string }>("SELECT key FROM stored_file WHERE id = $1", [id]);
      const key = rows[0]?.key;
      if (key === undefined) throw new AppError("object_not_found");
      await requireUnused(db, deps.registry, key, actor);
      await deleteFileRow(db, key);
      return { afterCommit: () => removeBytes(deps, key) };
    },
    committed() {},
  };
  return new Map([[FILE_MODEL, writer]]);
}
