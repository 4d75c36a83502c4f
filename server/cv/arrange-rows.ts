import { MAX_INT4 } from "#server/db/sql.ts";
import type { Row } from "./item.ts";

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

/** Whether a row sorts behind another one by position and id. A new row (id 0) gets the highest id of all. */
function isBehind(row: Row, last: Row): boolean {
  const isLater = last.id > 0 && row.id > last.id;
  return row.position > last.position || (row.position === last.position && isLater);
}

/** Whether the rows that exist stand as their positions say. */
function isInOrder(rows: readonly Row[]): boolean {
  return rows.every((row, index) => {
    const last = rows[index - 1];
    return !last || isBehind(row, last);
  });
}

/** Makes room for new rows and leaves the others alone where their positions still say the order. */
function fitIn(order: readonly Row[]): Row[] {
  const numbered: Row[] = [];
  for (const row of order) {
    const last = numbered.at(-1);
    const isKept = row.id > 0 && (!last || isBehind(row, last));
    numbered.push(isKept ? row : { ...row, position: (last?.position ?? 0) + 1 });
  }
  return numbered;
}

/** Gives rows positions that say their order: 1, 2, 3 … when known ones moved, else as few changes as will do. */
export function numberRows(order: readonly Row[]): Row[] {
  const fitted = isInOrder(order.filter((row) => row.id > 0)) ? fitIn(order) : [];
  const isFitting = fitted.length > 0 && (fitted.at(-1)?.position ?? 0) <= MAX_INT4;
  return isFitting ? fitted : order.map((row, index) => ({ ...row, position: index + 1 }));
}
