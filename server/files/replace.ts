import { randomUUID } from "node:crypto";
import type pg from "pg";
import { replaceAnswer, replaceRequest } from "#contract/content/objects.ts";
import { recordAudit } from "#server/audit/service.ts";
import type { Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { notifyChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { Floor } from "#server/floor.ts";
import { SIGNED_IN, toCaller } from "#server/http/bearer.ts";
import { type App, rowParams } from "#server/http/zod.ts";
import { FILE_MODEL } from "#server/models/file-uses.ts";
import { parseFileAddress } from "#server/models/kinds/file.ts";
import { deleteFileRow, findFile, lockFile, lockKey } from "./store.ts";

/** Puts one file in another one's place wherever it is used: the engine of content does it. @returns the models whose rows changed. */
export type ReplaceUses = (
  db: Queryable,
  replacement: { from: string; to: string; mediaType: string; keepsMoment?: boolean },
  caller: Caller,
) => Promise<string[]>;

export interface ReplaceDeps {
  pool: pg.Pool;
  feed: Pick<ChangeFeed, "announce">;
  contentTypeId: number | null;
  replaceUses: ReplaceUses;
  /** Takes the bytes of a file away whose row is gone. */
  removeBytes(key: string): Promise<void>;
}

/**
 * Puts a stored file in the place of another one: every row and text that used the old one names the new one, and the old one is
 * deleted, in one transaction and under one entry of the log.
 * @throws AppError object_not_found, validation_failed, permission_denied
 */
export async function replaceFile(
  { pool, feed, contentTypeId, replaceUses, removeBytes }: ReplaceDeps,
  { id, to, keepsMoment = false }: { id: number; to: string; keepsMoment?: boolean },
  caller: Caller,
): Promise<{ id: number; models: string[] }> {
  const actor = { ...caller.actor, batchId: randomUUID() };
  const done = await withRetriedTransaction(pool, async (client) => {
    const old = await lockFile(client, id);
    if (!old) throw new AppError("object_not_found");
    await lockKey(client, to);
    const next = await findFile(client, to);
    if (!next || next.id === id)
      throw new AppError("validation_failed", { fields: [{ field: "file", code: "invalid_file" }] });
    await recordAudit(client, actor, {
      action: "DELETE",
      detail: "file_replaced",
      contentTypeId,
      objectId: id,
      objectRepr: old.name,
      message: `Replaced by ${next.name}`,
      changes: { key: { before: old.key, after: next.key }, name: { before: old.name, after: next.name } },
    });
    const replacement = { from: old.key, to, mediaType: next.media_type, keepsMoment };
    const models = await replaceUses(client, replacement, { ...caller, actor });
    await deleteFileRow(client, old.key);
    await notifyChange(client, FILE_MODEL, toRowChange("deleted", [id]));
    return { id: next.id, models, key: old.key };
  });
  for (const model of [FILE_MODEL, ...done.models]) feed.announce(model);
  await removeBytes(done.key);
  return { id: done.id, models: done.models };
}

/** `POST /api/admin/files/{id}/replace/`: for who may delete files. */
export function openReplacement(
  app: App,
  floor: Floor,
  deps: Omit<ReplaceDeps, "pool" | "feed" | "contentTypeId">,
): void {
  const model = floor.registry.byKey.get(FILE_MODEL);
  const level = model?.access.delete;
  if (!model || level === null || level === undefined) return;
  app.post(
    "/api/admin/files/:id/replace/",
    {
      onRequest: floor.requireLevel(level),
      schema: {
        tags: ["files"],
        security: SIGNED_IN,
        summary: "Put another file in the place of one",
        description:
          "`file` is the address of an uploaded file. What used the old one uses it then, and the old one is gone.",
        params: rowParams,
        body: replaceRequest,
        response: { 200: replaceAnswer },
      },
    },
    async (request) => {
      const to = parseFileAddress(request.body.file) ?? "";
      const all = { ...floor, ...deps, contentTypeId: model.contentTypeId };
      const { id } = await replaceFile(all, { id: request.params.id, to }, toCaller(request));
      return { id };
    },
  );
}
