import type { FieldKind } from "../model.ts";
import { integer } from "./integer.ts";

/** Place of an item among its siblings. A new row goes to the end (see `createDefaultSql` in the registry). */
export const order: FieldKind = { ...integer, name: "order" };
