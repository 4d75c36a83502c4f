import type { Readable } from "node:stream";
import type pg from "pg";
import { recordAudit } from "#server/audit/service.ts";
import type { Registry } from "#server/models/registry.ts";
import { requireModel } from "./access.ts";
import { streamCopy } from "./export.ts";
import { exportSql } from "./export-sql.ts";
import { parseListQuery } from "./query.ts";
import type { Caller } from "./service.ts";

/** A file on its way to a reader. */
export interface ExportFile {
  name: string;
  stream: Readable;
}

export interface ContentExports {
  /** Opens an export of what a list with the same query shows, all pages of it. */
  open(contentTypeId: number, query: Record<string, unknown>, caller: Caller): Promise<ExportFile>;
}

/** Exports come from a pool of two connections of their own, so that lists go on whatever readers do. */
export function createContentExports(parts: {
  pool: pg.Pool;
  exportPool: pg.Pool;
  registry: Registry;
  now: () => Date;
}): ContentExports {
  const { pool, exportPool, registry, now } = parts;
  return {
    async open(contentTypeId, rawQuery, { actor, lang }) {
      const model = requireModel(registry, contentTypeId, "view", actor);
      const query = parseListQuery(model, rawQuery);
      const stream = await streamCopy(exportPool, exportSql(model, query, lang));
      try {
        // Before the first byte leaves: nobody reads rows without an entry.
        await recordAudit(pool, actor, {
          action: "VIEW",
          detail: "export",
          contentTypeId: model.contentTypeId,
          objectRepr: model.key,
          message: "Exported as csv",
        });
      } catch (error) {
        stream.destroy();
        throw error;
      }
      return { name: `${model.app}-${model.name}-${now().toISOString().slice(0, 10)}.csv`, stream };
    },
  };
}
