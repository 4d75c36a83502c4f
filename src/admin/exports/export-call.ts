import type { ExportBody, ExportFormat } from "#contract/exports.ts";
import { buildExportPath } from "#providers/data.ts";
import type { ListQuery } from "#providers/list-query.ts";

/** What a file is to hold of each row, and how. */
export interface ExportChoice {
  format: ExportFormat;
  /** Names of fields in their order; none: all that the reader may see. */
  columns: readonly string[];
  /** Texts that a spreadsheet would calculate stay as they are. */
  keepsFormulas: boolean;
  /** A csv that people open in a spreadsheet, not one for programs. */
  isForSpreadsheets?: boolean;
}

/** A call as `services.download` takes it. */
export interface ExportCall {
  path: string;
  body?: Partial<ExportBody>;
}

/** Every row of a list's query: the documented GET. */
export function toQueryExport(resource: string, query: ListQuery, choice: ExportChoice): ExportCall {
  return { path: buildExportPath(resource, query, choice) };
}
