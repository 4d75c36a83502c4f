import { randomUUID } from "node:crypto";
import type { Readable } from "node:stream";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { ExportBody, ExportInfo, ExportFormat as FormatName } from "#contract/content/exports.ts";
import { raiseAlert, recordAudit } from "#server/audit/service.ts";
import { type Actor, type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { Floor } from "#server/floor.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { asksStepUp, type ModelView, requireModel, toView } from "../records/access.ts";
import { UUID } from "../route-schemas.ts";
import { csv } from "./csv.ts";
import { type ExportRequest, parseExportBody, parseExportQuery } from "./export-request.ts";
import { json, ndjson } from "./json.ts";
import { type ExportFormat, toSource } from "./source.ts";
import {
  breakExport,
  completeExport,
  deleteBefore,
  failLeft,
  hasExported,
  insertExport,
  selectExport,
} from "./store.ts";
import { type FileDeps, streamFile } from "./stream-file.ts";
import { xlsx } from "./xlsx.ts";

/** A file on its way to a reader. */
export interface ExportFile {
  id: string;
  name: string;
  mediaType: string;
  stream: Readable;
}

/** What is asked for: the query of an address with its format, or a body. */
type ExportAsk = { query: Record<string, unknown>; format: FormatName } | { body: ExportBody };

export interface ContentExports {
  /** Opens an export of what a list with the same query shows, all pages of it. */
  open(contentTypeId: number, asked: ExportAsk, caller: Caller): Promise<ExportFile>;
  /** What became of an export, for who made it and for superusers. */
  getInfo(id: string, caller: Caller): Promise<ExportInfo>;
  /** Before the first request: exports that a dead process left. */
  failLeft(): Promise<void>;
}

/** Exports come from a pool of two connections of their own, so that lists go on whatever readers do. */
export function createContentExports(
  deps: Omit<FileDeps, "pool"> & {
    requireRecent: Floor["requireRecent"];
    pool: FileDeps["exportPool"];
    registry: Registry;
    processId: string;
    now: () => Date;
  },
): ContentExports {
  const { pool, registry, processId, now } = deps;

  const parse = (view: ModelView, asked: ExportAsk): ExportRequest =>
    "body" in asked ? parseExportBody(view, asked.body) : parseExportQuery(view, asked.query, asked.format);

  /** The owners hear of an account that begins to take personal data along. In the transaction that writes the export down. */
  async function alertOfFirst(db: Queryable, model: Model, id: string, { userId, ipAddress }: Actor) {
    if (!asksStepUp(model, "export") || userId === null) return;
    const personal = registry.models.filter((other) => asksStepUp(other, "export"));
    const contentTypeIds = personal.map(({ contentTypeId }) => contentTypeId);
    if (await hasExported(db, { id, userId, contentTypeIds })) return;
    await raiseAlert(db, { kind: "first_export", userId, ipAddress, about: model.pluralLabels });
  }

  /** Nobody reads rows without an entry. */
  const writeDown = (model: Model, format: FormatName, file: { id: string; name: string }, caller: Caller) =>
    withTransaction(pool, async (client) => {
      const { actor } = caller;
      await insertExport(client, {
        id: file.id,
        contentTypeId: model.contentTypeId,
        userId: actor.userId,
        format,
        fileName: file.name,
        processId,
      });
      await recordAudit(client, actor, {
        action: "VIEW",
        detail: "export",
        contentTypeId: model.contentTypeId,
        objectRepr: model.pluralLabels[caller.lang],
        message: `Exported as ${format}`,
        changes: { export_id: { after: file.id } },
      });
      await alertOfFirst(client, model, file.id, actor);
      // Their turn may have come after they left.
      if (caller.signal?.aborted) throw new AppError("request_timeout");
    });

  return {
    async open(contentTypeId, asked, caller) {
      const model = requireModel(registry, contentTypeId, "view", caller.actor);
      const view = toView(model, caller.actor.level);
      const request = parse(view, asked);
      const format = FORMATS[request.format];
      if (asksStepUp(model, "export")) await deps.requireRecent(caller.actor);
      const source = toSource(view, request, toReader(caller), format);
      const id = randomUUID();
      const day = now().toISOString().slice(0, 10);
      const name = `${model.app}-${model.name}-${day}.${request.format}`;
      const stream = await streamFile(
        deps,
        {
          copySql: format.copySql(source),
          shape: (rows) => format.shape(rows, source, { title: model.pluralLabels[caller.lang] }),
          onStart: () => writeDown(model, request.format, { id, name }, caller),
          onWhole: (totals) => completeExport(pool, id, totals),
          onBroken: (status) => breakExport(pool, id, status),
        },
        caller.signal,
      );
      return { id, name, mediaType: format.mediaType, stream };
    },

    async getInfo(id, { actor }) {
      const seesAll = actor.level >= ACCESS_LEVEL.superuser;
      const reader = { userId: actor.userId, seesAll, processId };
      const info = UUID.test(id) ? await selectExport(pool, id, reader) : undefined;
      if (!info) throw new AppError("export_not_found");
      return info;
    },

    failLeft: () => failLeftExports(pool, processId),
  };
}

const FORMATS: Readonly<Record<FormatName, ExportFormat>> = { csv, json, ndjson, xlsx };

export const EXPORT_RETENTION_MS = 90 * 24 * 60 * 60 * 1000;

/** Removes what is known of exports older than 90 days. Called at start and daily. */
export function deleteOldExports(db: Queryable, now: Date): Promise<void> {
  return deleteBefore(db, new Date(now.getTime() - EXPORT_RETENTION_MS));
}

/** What other processes left when they ended. Called before the first request and daily. `processId`: of the calling one. */
export function failLeftExports(db: Queryable, processId: string): Promise<void> {
  return failLeft(db, processId);
}
