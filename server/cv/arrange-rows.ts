import type { Row } from "./item.ts";

const MAX_POSITION = 2_147_483_647;

/** Rows in the order of the file; a row that the file doesn't name stays behind the one that it stood behind. */
export function arrangeRows(before: readonly Row[], inFile: readonly Row[], others: readonly Row[]): Row[] {
  const order = [...inFile];
  const ids = new Set(order.map((row) => row.id));
  for (const row of others) {
    const behind = before
      .slice(
        0,
        before.findIndex((known) => known.id === row.id),
      )
      .findLast((known) => ids.has(known.id));
    order.splice(behind ? order.findIndex((known) => known.id === behind.id) + 1 : 0, 0, row);
    ids.add(row.id);
  }
  return order;
}

/** A new row sorts behind every row that has a number already. */
function isBehind(row: Row, last: Row): boolean {
  return row.position > last.position || (row.position === last.position && row.id > last.id && last.id > 0);
}

/**
 * Gives rows positions that say their order, and leaves those alone that say it already.
 * Rows with an id of 0 are new and get one.
 */
export function numberRows(order: readonly Row[]): Row[] {
  const numbered: Row[] = [];
  for (const row of order) {
    const last = numbered.at(-1);
    const isKept = row.id > 0 && (!last || isBehind(row, last));
    numbered.push(isKept ? row : { ...row, position: (last?.position ?? 0) + 1 });
  }
  const isTooHigh = (numbered.at(-1)?.position ?? 0) > MAX_POSITION;
  return isTooHigh ? numbered.map((row, index) => ({ ...row, position: index + 1 })) : numbered;
}
