import type { QueryFilter } from "#contract/content/models.ts";
import type { QuickFilter } from "./record-source.ts";

/** Says of an entry that it stands under the first one of its bulk operation. A back end without it lists every entry. */
export const FOLDED_FIELD = "is_folded";

/** These say something about all entries of an operation alike; any other is looked for in each entry. */
const OF_OPERATIONS: ReadonlySet<string> = new Set([
  "action_type",
  "user",
  "content_type_id",
  "detail",
  "timestamp",
  "ip_address",
]);
const KIND_OF_OPERATION = "isnull";

function isOfOperations({ field, operator }: QueryFilter): boolean {
  return OF_OPERATIONS.has(field) || (field === "batch_id" && operator === KIND_OF_OPERATION);
}

/** Whether a list of the log has one line for each bulk operation: not where single entries are looked for. */
export function isGrouped({ search, filters }: { search: string; filters: readonly QueryFilter[] }): boolean {
  return search === "" && filters.every(isOfOperations);
}

const UNFOLDED: QueryFilter = { field: FOLDED_FIELD, operator: "exact", value: "false" };

/** What the list asks beside its view. */
export function toGroupingFilters(view: Parameters<typeof isGrouped>[0]): readonly QueryFilter[] {
  return isGrouped(view) ? [UNFOLDED] : [];
}

/** Every entry of one operation. */
export function ofBatch(id: string): QueryFilter {
  return { field: "batch_id", operator: "exact", value: id };
}

const detail = (value: string): QueryFilter => ({ field: "detail", operator: "exact", value });
const isInBatch = (value: "true" | "false"): QueryFilter => ({
  field: "batch_id",
  operator: KIND_OF_OPERATION,
  value: value === "true" ? "false" : "true",
});

/** Kinds of entries, and the list without lines for operations. */
export const KIND_FILTER: QuickFilter = {
  labelKey: "audit.fields.kind",
  options: [
    { labelKey: "audit.kinds.single", filters: [isInBatch("false")] },
    { labelKey: "audit.kinds.bulk", filters: [isInBatch("true")] },
    { labelKey: "audit.kinds.export", filters: [detail("export")] },
    { labelKey: "audit.kinds.import", filters: [detail("import")] },
    { labelKey: "audit.kinds.permissions", filters: [detail("permission_change")] },
    // True of every entry: it asks for each by itself.
    {
      labelKey: "audit.kinds.each",
      filters: [{ field: FOLDED_FIELD, operator: "isnull", value: "false" }],
    },
  ],
};
