import { type AuditEntry, type Changes, toChanges } from "#server/audit/service.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import type { Row } from "./item.ts";
import type { RowChange } from "./merge-section.ts";
import { toColumns } from "./row-columns.ts";
import { getRowTitle } from "./row-title.ts";
import type { Section } from "./sections.ts";

/** A row's values as they travel: a file as its address. */
function toWire(section: Section, row: Row): Record<string, unknown> {
  const wire = toColumns(section, row);
  for (const { column, field } of section.fields) {
    const key = wire[column];
    if (field.kind.holdsFile && typeof key === "string") wire[column] = `${FILE_PREFIX}${key}`;
  }
  return wire;
}

function toEntryChanges(section: Section, change: RowChange): Changes {
  const before = change.action === "create" ? {} : toWire(section, change.before);
  const after = change.action === "delete" ? {} : toWire(section, change.after);
  return toChanges(before, after);
}

const ACTIONS = { create: "CREATE", update: "UPDATE", delete: "DELETE" } as const;

/** The audit entry of one imported row, with everything that changed in it. */
export function toAuditEntry(section: Section, change: RowChange, contentTypeId: number | null): AuditEntry {
  const row = change.action === "delete" ? change.before : change.after;
  return {
    action: ACTIONS[change.action],
    detail: "import",
    contentTypeId,
    objectId: row.id,
    objectRepr: getRowTitle(section, row),
    message: "Imported from a JSON Resume file",
    changes: toEntryChanges(section, change),
  };
}
