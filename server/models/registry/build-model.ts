import { AppError, toErrorText } from "#server/base/errors.ts";
import { toCondition } from "../condition.ts";
import type { ModelDeclaration } from "../declare.ts";
import type { Field, Model, RowRule } from "../model.ts";
import type { Report } from "./check-declaration.ts";

/** Row rules as conditions. `models` fills up while the registry is built; a rule reads it when it is compiled to SQL. */
export function buildRowRules(
  declaration: ModelDeclaration,
  fields: ReadonlyMap<string, Field>,
  models: readonly Model[],
  report: Report,
): RowRule[] {
  return (declaration.rows ?? []).flatMap(({ belowLevel, operations, where }) => {
    try {
      return [{ belowLevel, operations, where: toCondition(fields, where, models) }];
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      report(null, `a row rule can't be read: ${toErrorText(error.code, "en", error.vars)}`);
      return [];
    }
  });
}
