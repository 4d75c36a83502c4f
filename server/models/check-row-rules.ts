import { AppError, toErrorText } from "#server/base/errors.ts";
import { toLiteral } from "../db/sql.ts";
import type { Model } from "./model.ts";
import type { Report } from "./registry/check-declaration.ts";
import { conditionSql } from "./row-sql.ts";

/** A reader whom every rule applies to. */
const ANYBODY = { level: 0, userId: 1 };

/** Kinds read a rule's values when it becomes SQL: one that can't be read must not wait for its first reader. */
export function checkRowRules({ rows }: Pick<Model, "rows">, report: Report): void {
  for (const { where } of rows) {
    try {
      conditionSql(where, "t", toLiteral, ANYBODY);
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(null, `a row rule can't be read: ${toErrorText(error.code, "en", error.vars)}`);
    }
  }
}
