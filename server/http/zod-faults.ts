import type * as z from "zod/mini";
import type { FieldFault } from "../base/errors.ts";

type Issue = z.core.$ZodIssue;

const FORMAT_CODES: Record<string, string> = { email: "invalid_email", url: "invalid_url" };

/** Path of an issue as the wire names it: `label.en`, `items[2]`. */
function toFieldPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === "number" ? `[${part}]` : `.${String(part)}`))
    .join("")
    .replace(/^\./, "");
}

function toSizeFault(
  issue: Issue & { origin: string },
  field: string,
  edge: "min" | "max",
  limit: number | bigint,
): FieldFault {
  const isText = issue.origin === "string";
  const code = edge === "min" ? (isText ? "too_short" : "too_small") : isText ? "too_long" : "too_big";
  if (edge === "min" && isText && Number(limit) === 1) return { field, code: "required" };
  return { field, code, vars: { [edge]: Number(limit) } };
}

/** What stands at a path of the checked value; issues don't carry it. */
function getAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (at, key) =>
      typeof at === "object" && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined,
    value,
  );
}

function toFaults(issue: Issue, given: unknown, prefix: readonly PropertyKey[]): FieldFault[] {
  const field = toFieldPath([...prefix, ...issue.path]);
  switch (issue.code) {
    case "unrecognized_keys":
      return issue.keys.map((key) => ({
        field: toFieldPath([...prefix, ...issue.path, key]),
        code: "unknown_field",
        vars: { field: key },
      }));
    case "too_small":
      return [toSizeFault(issue, field, "min", issue.minimum)];
    case "too_big":
      return [toSizeFault(issue, field, "max", issue.maximum)];
    case "invalid_type":
      return [{ field, code: (getAt(given, issue.path) ?? null) === null ? "required" : "invalid_type" }];
    case "invalid_format":
      return [{ field, code: FORMAT_CODES[issue.format] ?? "invalid_format" }];
    case "custom":
      return [{ field, code: issue.message || "invalid_value", ...(issue.params && { vars: issue.params }) }];
    default:
      return [{ field, code: "invalid_value" }];
  }
}

/** Zod's issues with a value as field faults. A `refine` names its fault's code as its error text. */
export function toFieldFaults(
  issues: readonly Issue[],
  given: unknown,
  prefix: readonly PropertyKey[] = [],
): FieldFault[] {
  return issues.flatMap((issue) => toFaults(issue, given, prefix));
}
