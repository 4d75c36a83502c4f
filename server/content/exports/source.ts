import type { Language } from "#contract/languages.ts";
import type { Reader } from "#server/base/actor.ts";
import { toLiteral } from "#server/db/sql.ts";
import { ALIAS, fromSql } from "../records/record-sql.ts";
import { scopeTerms } from "../scope.ts";
import { keyOrderSql, toSortKeys } from "../sort-keys.ts";
import type { ModelView } from "../view.ts";
import { type ChosenColumn, toChosenColumns } from "./chosen-columns.ts";
import type { ExportRequest } from "./export-request.ts";

/** What a format makes its statement of: columns, and where their rows come from. COPY takes no parameters. */
export interface ExportSource {
  columns: readonly ChosenColumn[];
  /** `FROM … WHERE … ORDER BY …`, with the rules of the reader. */
  rest: string;
  /** Texts that a spreadsheet would calculate stay as they are. */
  keepsFormulas: boolean;
  /** The language of people who open a csv in a spreadsheet; null: it is for programs. */
  sheetLang: Language | null;
}

/**
 * Ids are whole numbers, as the request's schema has checked, maybe larger than the column's. What is excluded is compared
 * as bigint on both sides: PostgreSQL hashes such a list.
 */
function idTerms(request: ExportRequest): string[] {
  const { objectIds, excludeIds } = request;
  const terms: string[] = [];
  if (objectIds) terms.push(`${ALIAS}.id = ANY('{${objectIds.join(",")}}'::bigint[])`);
  if (excludeIds.length > 0) terms.push(`${ALIAS}.id::bigint <> ALL('{${excludeIds.join(",")}}'::bigint[])`);
  return terms;
}

/** The rows of a request as their reader may see them, in the order of the list. */
export function toSource(
  view: ModelView,
  request: ExportRequest,
  reader: Reader,
  options: { hasRepr: boolean },
): ExportSource {
  const columns = toChosenColumns(view, request.columns, reader, options);
  const terms = [...scopeTerms(view, request, reader, toLiteral), ...idTerms(request)];
  const where = terms.length > 0 ? `WHERE ${terms.join(" AND ")}` : "";
  const order = keyOrderSql(toSortKeys(view, request.sort, reader.lang));
  const joins = columns.map((column) => column.join).join(" ");
  return {
    columns,
    rest: `${fromSql(view.model)} ${joins} ${where} ${order}`,
    keepsFormulas: request.keepsFormulas,
    sheetLang: request.isForSpreadsheets ? reader.lang : null,
  };
}
