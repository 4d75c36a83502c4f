import type { Caller } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed } from "../records/access.ts";

/** Another writer came in between, again and again; it is done soon. */
const RETRY_AFTER_S = 1;

interface DatabaseFault {
  code?: string;
  constraint?: string;
  column?: string;
  table?: string;
  detail?: string;
}

/** The field that a constraint's message speaks of: `Key (label)=(x) already exists.` */
function findField(model: Model, fault: DatabaseFault): string {
  const named = fault.column ?? /^Key \("?(\w+)"?[,)]/.exec(fault.detail ?? "")?.[1] ?? "";
  const found = model.fields.find(
    ({ column, through }) => column === named || (through?.to === named && through.table === fault.table),
  );
  return found?.name ?? "";
}

function toReferences(names: string | undefined) {
  return names === undefined ? [] : [{ field: "", code: "referenced_by", vars: { names } }];
}

/**
 * What PostgreSQL refused, as an error that a person can act on; anything else is thrown as it came. `nameTable` says how
 * people call the rows of a table, where the reader may know of them.
 */
export function toWriteError(
  error: unknown,
  model: Model,
  operation: "write" | "delete",
  nameTable: (table: string) => string | undefined = () => undefined,
): unknown {
  const fault = error as DatabaseFault; // pg's errors carry these; others have none of them
  const field = findField(model, fault);
  const at = (code: string) => (field ? [{ field, code }] : []);
  switch (fault.code) {
    case "23505":
      return model.isSingleton
        ? new AppError("singleton_exists", { cause: error })
        : new AppError("conflict", { fields: at("already_taken"), cause: error });
    case "23503":
      return operation === "delete"
        ? new AppError("still_referenced", {
            fields: toReferences(nameTable(fault.table ?? "")),
            cause: error,
          })
        : new AppError("validation_failed", { fields: at("related_not_found"), cause: error });
    case "23502":
      return new AppError("validation_failed", { fields: at("required"), cause: error });
    case "22P05":
    case "22021":
    case "22P02":
    case "22003":
    case "22007":
    case "22008":
    case "22009":
    case "23514":
      return new AppError("validation_failed", { fields: at("invalid_value"), cause: error });
    case "40P01":
    case "40001":
      return new AppError("unavailable", { retryAfterS: RETRY_AFTER_S, cause: error });
    default:
      return error;
  }
}

/** How people call the rows of a table; undefined where the reader may not know of them. */
export function nameTable(registry: Registry, table: string, { actor, lang }: Caller): string | undefined {
  const model = registry.models.find((known) => known.table === table);
  return model && isAllowed(model, "view", actor.level) ? model.pluralLabels[lang] : undefined;
}
