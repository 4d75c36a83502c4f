import type { ExportFormat } from "#contract/exports.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { type ExportChoice, toQueryExport, toSelectionExport } from "../../exports/export-call.ts";
import { useExport } from "../../exports/use-export.ts";
import { toExportedView } from "./asked-filters.ts";
import { pickColumns } from "./list-columns.tsx";
import { type ListView, toRowQuery } from "./list-view.ts";
import { renameFields } from "./rename-fields.ts";
import type { Selection } from "./selection.ts";

/** Rows of a list as a file, whichever door their export has. */
export function useListExport(model: RecordSource, view: ListView) {
  const { state, start, cancel } = useExport();
  const { exportResource = model.resource, exportNames = {} } = model;
  const columns = pickColumns(model, view.columns).map(({ name }) => name);
  const shownColumns = columns.map((name) => exportNames[name] ?? name);

  /** `rowCount`: about so many. Without a selection every row that the list finds. */
  async function run(choice: ExportChoice, rowCount: number, selection?: Selection): Promise<void> {
    if (exportResource === null) return;
    const exported = toExportedView(model, view, Date.now());
    const query = toRowQuery(renameFields(exported, exportNames));
    const call = selection
      ? toSelectionExport(exportResource, query, selection, choice)
      : toQueryExport(exportResource, query, choice);
    await start({ ...call, format: choice.format, modelName: model.model_name, rowCount });
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
