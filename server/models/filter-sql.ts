/** SQL of what a search reads of a text column. Tables and kinds both take it from here, so that they can't differ. */
export function plainSearchSql(column: string): string {
  return `coalesce(${column}, '')`;
}

/** The same of a column that holds both languages. */
export function localizedSearchSql(column: string): string {
  return joinSearchSql([`coalesce(${column} ->> 'en', '')`, `coalesce(${column} ->> 'tr', '')`]);
}

function joinSearchSql(parts: readonly string[]): string {
  return parts.join(` || ' ' || `);
}

/** The folded text that searches read, from the parts of its fields. */
export function foldedSearchSql(parts: readonly string[]): string {
  return `foyer_fold(${joinSearchSql(parts)})`;
}
