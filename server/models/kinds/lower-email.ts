import * as z from "zod/mini";
import { LIMITS } from "#contract/limits.ts";
import { textFilter } from "../filter-sql.ts";
import type { FieldKind } from "../model.ts";
import { kind as email } from "./email.ts";

/** An e-mail address in lower case, so that one address is one value. */
export const kind: FieldKind = {
  ...email,
  name: "lower_email",
  valueSchema: () =>
    z.string().check(z.trim(), z.toLowerCase(), z.maxLength(LIMITS.emailMaxChars), z.email()),
  sortSql: (column) => column,
  filterSql: (column, operator, value, add) => {
    const lower = typeof value === "string" ? value.toLowerCase() : value.map((text) => text.toLowerCase());
    return textFilter(column, operator, lower, add);
  },
};
