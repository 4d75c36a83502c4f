import type { ExportBody, ExportFormat } from "#contract/content/exports.ts";
import { AppError } from "#server/base/errors.ts";
import type { SortTerm } from "../../models/declare.ts";
import { isListName, parseListQuery, parseScope, parseSort, type Scope } from "../list/query.ts";
import type { ModelView } from "../records/access.ts";

/** What is asked for, checked against what its reader may see. */
export interface ExportRequest extends Scope {
  format: ExportFormat;
  /** Names in their order; empty: all. */
  columns: readonly string[];
  keepsFormulas: boolean;
  /** A csv that people open in a spreadsheet. */
  isForSpreadsheets: boolean;
  sort: readonly SortTerm[];
  /** Only these rows; null: whatever the scope has. */
  objectIds: readonly number[] | null;
  excludeIds: readonly number[];
}

function invalid(parameter: string): AppError {
  return new AppError("invalid_query", { vars: { parameter } });
}

const OWN_NAMES: ReadonlySet<string> = new Set(["format", "columns", "formulas", "use"]);

function toColumns(text: unknown): string[] {
  if (text === undefined || text === "") return [];
  if (typeof text !== "string") throw invalid("columns");
  return text.split(",").map((name) => name.trim());
}

function toKeepsFormulas(text: unknown): boolean {
  if (text === undefined || text === "") return false;
  if (text !== "keep") throw invalid("formulas");
  return true;
}

function toIsForSpreadsheets(use: unknown, format: ExportFormat): boolean {
  if (use !== "spreadsheets") return false;
  if (format !== "csv") throw invalid("use");
  return true;
}

/**
 * The request of an address: the list's query, and `columns=a,b`, `formulas=keep` and `use=spreadsheets` beside it.
 * @throws AppError unknown_field, unknown_operator or invalid_query, each naming its cause; a mistyped name is one, as it
 * would export everything.
 */
export function parseExportQuery(
  view: ModelView,
  query: Record<string, unknown>,
  format: ExportFormat,
): ExportRequest {
  const mistyped = Object.keys(query).find((name) => !OWN_NAMES.has(name) && !isListName(name));
  if (mistyped !== undefined) throw invalid(mistyped);
  const rest = Object.entries(query).filter(([name]) => !OWN_NAMES.has(name));
  const { search, where, sort } = parseListQuery(view, Object.fromEntries(rest));
  return {
    format,
    columns: toColumns(query.columns),
    keepsFormulas: toKeepsFormulas(query.formulas),
    isForSpreadsheets: toIsForSpreadsheets(query.use, format),
    search,
    where,
    sort,
    objectIds: null,
    excludeIds: [],
  };
}

/** The same from a body, whose shape its schema has checked; for choices that don't fit into an address. @throws as above, and nothing_selected. */
export function parseExportBody(view: ModelView, body: ExportBody): ExportRequest {
  if (body.object_ids?.length === 0) throw new AppError("nothing_selected");
  return {
    format: body.format,
    columns: body.columns,
    keepsFormulas: body.formulas === "keep",
    isForSpreadsheets: toIsForSpreadsheets(body.use, body.format),
    ...parseScope(view, body),
    sort: parseSort(view, body.sort),
    objectIds: body.object_ids ?? null,
    excludeIds: body.exclude_ids,
  };
}
