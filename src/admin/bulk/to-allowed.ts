import type { RecordSource } from "#resources/record-source.ts";
import { BULK_OPERATIONS, type BulkOperation } from "../views/state/selection.ts";

/** What the person may do with many objects; who sees them may export them. */
export function toAllowed({ permissions, fields }: RecordSource): readonly BulkOperation[] {
  const hasInputs = fields.some((field) => !field.read_only);
  return BULK_OPERATIONS.filter((operation) => {
    if (operation === "export") return permissions.view;
    return permissions[operation] && (operation === "delete" || hasInputs);
  });
}
