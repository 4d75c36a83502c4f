import type { BulkOperation } from "../views/state/selection.ts";

interface BulkInputs {
  operation: BulkOperation | undefined;
  selectedCount: number;
  /** Of an update: names of the ticked fields. */
  ticked: readonly string[];
  /** Whether their values fit. */
  fits: boolean;
}

/** What is still missing (specification B section 5), the first thing first; undefined: the operation is valid. */
export function findMissing({
  operation,
  selectedCount,
  ticked,
  fits,
}: BulkInputs): "operation" | "objects" | "fields" | "values" | undefined {
  if (!operation) return "operation";
  if (selectedCount === 0) return "objects";
  if (operation !== "update") return undefined;
  if (ticked.length === 0) return "fields";
  return fits ? undefined : "values";
}
