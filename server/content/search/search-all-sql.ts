import type { Reader } from "#server/base/actor.ts";
import { patternSql } from "#server/models/filter-sql.ts";
import type { AddParameter, Model } from "#server/models/model.ts";
import { titleSql } from "#server/models/row-sql.ts";
import { keyOrderSql, type PageStatement, toSortKeys } from "../list/page-sql.ts";
import { scopeTerms } from "../list/query.ts";
import type { ModelView } from "../records/access.ts";
import { ALIAS, createParameters, fromSql, idSql } from "../records/record-sql.ts";

/** A model to search. */
export interface Searched {
  view: ModelView;
  /** So many rows that no more than the first few matches, in the order of an index, are read. */
  isBig: boolean;
}

/** Rows that a search shows of one model. */
const SHOWN_MAX = 3;
/** Rows of one model that are ranked by their names. */
const RANKED_MAX = 1000;
const RANKED_BIG_MAX = 50;

/** How well a name fits: it begins with the text, one of its words does, it holds it, or another field does. */
function fitSql(name: string, pattern: string): string {
  return `CASE WHEN ${name} LIKE ${pattern} || '%' THEN 0 WHEN ${name} LIKE '% ' || ${pattern} || '%' THEN 1
    WHEN ${name} LIKE '%' || ${pattern} || '%' THEN 2 ELSE 3 END`;
}

/** Only models that are declared large have an index for each of their sorts. */
function orderSql({ view, isBig }: Searched, reader: Reader): string {
  const isSortSlow = isBig && !view.model.isLarge;
  return keyOrderSql(toSortKeys(view, isSortSlow ? [{ field: "id", direction: "desc" }] : [], reader.lang));
}

function modelSql(searched: Searched, search: string, reader: Reader, add: AddParameter): string {
  const { view, isBig } = searched;
  const { model } = view;
  const terms = scopeTerms(view, { search, where: null }, reader, add);
  const found = `SELECT ${idSql(model)} AS id, ${titleSql(model, ALIAS, reader.lang)} AS repr
    ${fromSql(model)} WHERE ${terms.join(" AND ")} ${orderSql(searched, reader)} LIMIT ${isBig ? RANKED_BIG_MAX : RANKED_MAX}`;
  const ranked = `SELECT *, row_number() OVER () AS place, ${fitSql("foyer_fold(repr)", patternSql(add(search)))} AS fit
    FROM (${found}) found`;
  return `(SELECT ${add(model.contentTypeId)}::integer, id::float8, repr, fit FROM (${ranked}) ranked
    ORDER BY fit, place LIMIT ${SHOWN_MAX})`;
}

/** The statement that searches some models at once: content type, id, name and fit (0 is best) of a few rows of each. */
export function searchAllSql(models: readonly Searched[], search: string, reader: Reader): PageStatement {
  const { add, values } = createParameters();
  return {
    text: models.map((searched) => modelSql(searched, search, reader, add)).join(" UNION ALL "),
    values,
  };
}

/** Of a table that was never counted, as after a restore: beyond that it may hold many rows. */
const UNCOUNTED_MAX_BYTES = 8 * 1024 * 1024;

/** The statement that names the tables of models that the statistics call larger than `rows`. */
export function bigTablesSql(models: readonly Pick<Model, "table">[], rows: number): PageStatement {
  return {
    text: `SELECT relname FROM pg_class WHERE relname = ANY($1) AND relkind IN ('r', 'p')
      AND (reltuples > $2 OR (reltuples < 0 AND pg_relation_size(oid) > $3))`,
    values: [models.map(({ table }) => table), rows, UNCOUNTED_MAX_BYTES],
  };
}
