import fastJson from "fast-json-stringify";
import type { FastifyInstance, FastifyRequest } from "fastify";
import type { ZodTypeProvider } from "fastify-type-provider-zod";
import * as z from "zod/mini";
import { AppError, type FieldFault } from "#server/base/errors.ts";
import { MAX_INT4 } from "#server/db/sql.ts";

/** A Fastify instance whose routes take their types from Zod schemas. */
export type App = FastifyInstance<
  import("fastify").RawServerDefault,
  import("node:http").IncomingMessage,
  import("node:http").ServerResponse,
  import("fastify").FastifyBaseLogger,
  ZodTypeProvider
>;

type Serializer = (data: unknown) => string;

/** By schema: one is compiled once in a process, however many apps its tests open. */
const serializers = new WeakMap<z.ZodMiniType, Serializer>();

function toSerializer(schema: z.ZodMiniType): Serializer {
  const cached = serializers.get(schema);
  if (cached) return cached;
  const jsonSchema = z.toJSONSchema(schema, { target: "draft-07", unrepresentable: "any" });
  const made = fastJson(jsonSchema as fastJson.Schema);
  serializers.set(schema, made);
  return made;
}

/**
 * Requests are parsed by Zod; answers are written by fast-json-stringify from the same schema, which drops what a schema
 * doesn't name.
 */
export function withZod(app: FastifyInstance): App {
  app.setValidatorCompiler(({ schema }) => {
    const check = schema as z.ZodMiniType; // routes are typed by ZodTypeProvider: their schemas are Zod's
    return (given: unknown) => {
      const parsed = check.safeParse(given);
      if (parsed.success) return { value: parsed.data };
      return {
        error: new AppError("validation_failed", { fields: toFieldFaults(parsed.error.issues, given) }),
      };
    };
  });
  app.setSerializerCompiler(({ schema }) => toSerializer(schema as z.ZodMiniType));
  return app.withTypeProvider<ZodTypeProvider>();
}

type Issue = z.core.$ZodIssue;

/** More than any form has fields: a body of a thousand unknown names isn't answered by a thousand sentences. */
const MAX_FAULTS = 100;

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
      return issue.keys.slice(0, MAX_FAULTS).map((key) => ({
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

/** Zod's issues with a value as field faults, the first of them. A `refine` names its fault's code as its error text. */
export function toFieldFaults(
  issues: readonly Issue[],
  given: unknown,
  prefix: readonly PropertyKey[] = [],
): FieldFault[] {
  const shown = issues.slice(0, MAX_FAULTS).flatMap((issue) => toFaults(issue, given, prefix));
  return shown.slice(0, MAX_FAULTS);
}

/** Query of a documented list over a content model: `filters[0][field]` and the like are read by the engine, which also checks these. */
export const listQuery = z.catchall(
  z.object({
    page: z.optional(z.unknown()),
    page_size: z.optional(z.unknown()),
    search: z.optional(z.unknown()),
    cursor: z.optional(z.unknown()),
    count: z.optional(z.unknown()),
  }),
  z.unknown(),
);

/** Ids are digits, so that fixed names beside them (`/api/users/me/`) stay what they are. */
export const ID_PATH = ":id(^\\d{1,9}$)";
export const idParams = z.object({ id: z.pipe(z.string(), z.transform(Number)) });

/** Of a row whose id is PostgreSQL's `integer`: what can't be one is a 400 that says so. */
export const rowParams = z.object({
  id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(MAX_INT4)),
});

export function getIfMatch(request: FastifyRequest): string | undefined {
  return request.headers["if-match"];
}
