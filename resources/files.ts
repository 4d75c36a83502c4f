import type { QuickFilter, RecordSource } from "./record-source.ts";

/** The content model of stored files. */
export const FILE_MODEL = "files.stored_file";

const USE_FILTER: QuickFilter = {
  labelKey: "files.filters.use",
  options: [
    { labelKey: "files.filters.all", filters: [] },
    {
      labelKey: "files.filters.unused",
      filters: [{ field: "used_in", operator: "exact", value: "unused" }],
    },
    { labelKey: "files.filters.faulty", filters: [{ field: "fault", operator: "isnull", value: "false" }] },
  ],
};

/** The generic list of stored files, with what one looks for among them. Files come by uploads: there is no form of a new one. */
export function buildFilesSource(source: RecordSource): RecordSource {
  return { ...source, quickFilters: [USE_FILTER], hasCopies: false };
}
