import { toLiteral } from "../../db/sql.ts";
import type { FieldKind } from "../model.ts";
import { kind as integer } from "./integer.ts";

/** Place of an item among its siblings. A new row goes to the end, where rows that are made at once wait for each other. */
export const kind: FieldKind = {
  ...integer,
  name: "order",
  // Behind the last one; beside it where that has the highest number that there is.
  createDefaultSql: (name, table) => `foyer_next_place(${toLiteral(table)}, ${toLiteral(name)})`,
};
