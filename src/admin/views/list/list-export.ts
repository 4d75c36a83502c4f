import type { ExportFormat } from "#contract/content/exports.ts";
import { buildExportPath } from "#providers/refine/data.ts";
import type { ListQuery } from "#providers/refine/list-query.ts";
import { toMomentFilters } from "#resources/date-range.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type ExportCall, type ExportChoice, toQueryExport, useExport } from "../../exports/use-export.ts";
import { type ListView, renameFields, toRowQuery } from "../state/list-view.ts";
import type { Selection } from "../state/selection.ts";
import { pickColumns } from "./columns/columns.ts";

/** Rows of a list as a file, whichever endpoint their export has. */
export function useListExport(source: RecordSource, view: ListView) {
  const { state, start, cancel } = useExport();
  const { exportResource = source.resource, exportNames = {} } = source;
  const columns = pickColumns(source, view.columns).map(({ name }) => name);
  const shownColumns = columns.map((name) => exportNames[name] ?? name);

  /** `rowCount`: about so many. Without a selection every row that the list finds. */
  async function run(choice: ExportChoice, rowCount: number, selection?: Selection): Promise<void> {
    if (exportResource === null) return;
    const exported = toExportedView(source, view, Date.now());
    const query = toRowQuery(renameFields(exported, exportNames));
    const call = selection
      ? toSelectionExport(exportResource, query, selection, choice)
      : toQueryExport(exportResource, query, choice);
    await start({ ...call, format: choice.format, modelName: source.model_name, rowCount });
  }

  return {
    canExport: exportResource !== null,
    /** Names of the columns that the list shows, as the export knows them. */
    shownColumns,
    state,
    cancel,
    run,
    runWhole: (format: ExportFormat, rowCount: number) =>
      run({ format, columns: [], keepsFormulas: false }, rowCount),
  };
}

/** Chosen rows, in the order of the list. Rows chosen by their ids are exported whatever the search shows by now. */
export function toSelectionExport(
  resource: string,
  query: ListQuery,
  selection: Selection,
  choice: ExportChoice,
): ExportCall {
  const { format, columns, keepsFormulas, isForSpreadsheets } = choice;
  const rows =
    selection.kind === "ids"
      ? { object_ids: [...selection.ids] }
      : {
          search: query.search ?? "",
          filters: [...(query.filters ?? [])],
          ...(query.where !== undefined && { where: query.where }),
          exclude_ids: [...selection.excluded],
        };
  const shape = {
    format,
    columns: [...columns],
    ...(keepsFormulas && { formulas: "keep" as const }),
    ...(isForSpreadsheets && { use: "spreadsheets" as const }),
  };
  return {
    path: buildExportPath(resource, {}),
    body: { ...rows, ...shape, sort: [...(query.sorts ?? [])] },
  };
}

/** About how many rows an export has: it takes the view's filters alone. */
export function countExported(source: RecordSource, view: ListView, total: number): number {
  return (source.toAddedFilters?.(view) ?? []).length > 0 ? Math.max(total, source.count) : total;
}

/** The view as the rows' model knows its fields: exports are asked for in its words. */
function toExportedView(source: RecordSource, view: ListView, nowMs: number): ListView {
  const { toModelFilter, dateRange } = source;
  const meant = view.filters.map((filter) => toModelFilter?.(filter) ?? [[filter]]);
  const all = meant.flatMap(([only = [], ...others]) => (others.length === 0 ? only : []));
  const groups = meant.filter(({ length }) => length > 1);
  return { ...view, filters: toMomentFilters(all, dateRange, nowMs), groups: [...view.groups, ...groups] };
}
