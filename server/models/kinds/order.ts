import { MAX_INT4 } from "../int4.ts";
import type { FieldKind } from "../model.ts";
import { kind as integer } from "./integer.ts";

/** Place of an item among its siblings. A new row goes to the end. */
export const kind: FieldKind = {
  ...integer,
  name: "order",
  // Behind the last one; beside it where that has the highest number that there is.
  createDefaultSql: (name, table) =>
    `(SELECT least(coalesce(max(${name}), 0)::bigint + 1, ${MAX_INT4}) FROM ${table})`,
};
