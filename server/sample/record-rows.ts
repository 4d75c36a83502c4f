import { type Language, type LocalizedText, pickText } from "#contract/languages.ts";
import { type AuditEntry, recordAudit, toChanges } from "#server/audit/service.ts";
import type { Actor } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { TIMESTAMP_FIELDS } from "#server/models/declare.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { KINDS } from "#server/models/kinds.ts";
import { notifyChange } from "../db/change-notices.ts";
import type { SampleModel } from "./sample-models.ts";
import { type RowColumns, selectContentTypeId } from "./store.ts";

/** Declared values as they travel: a file as its address. */
function toWire({ declaration }: SampleModel, row: RowColumns): Record<string, unknown> {
  const fields = Object.entries(declaration.fields).filter(
    ([name]) => name in row && !(name in TIMESTAMP_FIELDS),
  );
  const toValue = (kind: string, value: unknown) =>
    KINDS[kind]?.holdsFile && typeof value === "string" ? `${FILE_PREFIX}${value}` : value;
  return Object.fromEntries(fields.map(([name, { kind }]) => [name, toValue(kind, row[name])]));
}

/** How people call a row: the text of its model's title field, in the language when it has it. */
export function getTitle({ declaration }: SampleModel, row: RowColumns, lang: Language = "en"): string {
  const title = row[declaration.title];
  // A localized column holds both languages, any other title is text.
  const text =
    typeof title === "object" ? pickText(title as LocalizedText | null, lang) : String(title ?? "");
  return text || `#${row.id}`;
}

/** Writes the audit entries of rows that came or went, and tells every process that their model changed. */
export async function recordRows(
  db: Queryable,
  actor: Actor,
  model: SampleModel,
  entry: Pick<AuditEntry, "detail" | "message"> & { action: "CREATE" | "DELETE" },
  rows: readonly RowColumns[],
): Promise<void> {
  if (rows.length === 0) return;
  const contentTypeId = await selectContentTypeId(db, model);
  const entries = rows.map((row) => {
    const wire = toWire(model, row);
    const changes = entry.action === "CREATE" ? toChanges({}, wire) : toChanges(wire, {});
    return { ...entry, contentTypeId, objectId: row.id, objectRepr: getTitle(model, row), changes };
  });
  await recordAudit(db, actor, ...entries);
  await notifyChange(db, model.key);
}
