import { ACCESS_LEVEL, hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { AdminUser, AdminUserWrite, Admission } from "#contract/accounts/admin-users.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import { staleWrite } from "#contract/content/objects.ts";
import { type Language, pickText } from "#contract/languages.ts";
import { AppError, type ErrorVars } from "#server/base/errors.ts";
import type { LevelRow } from "./store.ts";

/** Names of the documented item (specification B section 3) and those of the model's fields. */
const FIELD_BY_NAME: Readonly<Record<string, string>> = {
  date_joined: "created_at",
  last_login: "last_login_at",
};

/** Names of the documented filters (specification B section 5) that speak of the level. */
const LEVEL_NAMES: readonly string[] = ["access_level", "is_staff", "is_superuser"];

const LEAST: Readonly<Record<string, number>> = {
  is_staff: ACCESS_LEVEL.admin,
  is_superuser: ACCESS_LEVEL.superuser,
};

type Query = Readonly<Record<string, unknown>>;
type Test = (level: number) => boolean;

const isNumber = (text: string) => /^-?\d{1,9}$/.test(text);

function toLevelTest(operator: string, value: string): Test | undefined {
  const numbers = value.split(",").map((text) => text.trim());
  if (!numbers.every(isNumber)) return undefined;
  const [first = 0, second = 0] = numbers.map(Number);
  switch (operator) {
    case "in":
      return (level) => numbers.map(Number).includes(level);
    case "range":
      return numbers.length === 2 ? (level) => level >= first && level <= second : undefined;
    case "isnull":
      return undefined;
  }
  if (numbers.length > 1) return undefined;
  switch (operator) {
    case "exact":
      return (level) => level === first;
    case "gt":
      return (level) => level > first;
    case "gte":
      return (level) => level >= first;
    case "lt":
      return (level) => level < first;
    case "lte":
      return (level) => level <= first;
    default:
      return undefined;
  }
}

function toSwitchTest(name: string, operator: string, value: string): Test | undefined {
  const least = LEAST[name] ?? 0;
  if (operator !== "exact" || (value !== "true" && value !== "false")) return undefined;
  return (level) => level >= least === (value === "true");
}

const OPERATORS = ["exact", "gt", "gte", "lt", "lte", "in", "range"];

/** Rows of the levels that a filter means; none: a number that no row has. */
function toLevelIds(name: string, operator: string, value: string, levels: readonly LevelRow[]): string {
  const known = name === "access_level" ? OPERATORS : ["exact"];
  if (!known.includes(operator)) throw new AppError("unknown_operator", { vars: { field: name, operator } });
  const test = name === "access_level" ? toLevelTest(operator, value) : toSwitchTest(name, operator, value);
  if (!test) throw new AppError("invalid_query", { vars: { parameter: `filters ${name}` } });
  const ids = levels.filter(({ level }) => test(level)).map(({ id }) => id);
  return ids.length > 0 ? ids.join(",") : "0";
}

/** One condition of `where` in the names of the model. */
function toModelLeaf(leaf: Record<string, unknown>, levels: readonly LevelRow[]): Record<string, unknown> {
  const { field: name, operator = "exact", value = "" } = leaf;
  if (typeof name !== "string") return leaf;
  if (!LEVEL_NAMES.includes(name)) return { ...leaf, field: FIELD_BY_NAME[name] ?? name };
  const ids = toLevelIds(name, String(operator), String(value), levels);
  return { ...leaf, field: "access_level_id", operator: "in", value: ids };
}

/** `where` in the names of the model; what is none, or too deep, the engine refuses. */
function toModelWhere(given: unknown, levels: readonly LevelRow[], depth = 1): unknown {
  if (typeof given !== "object" || given === null || depth > ADMIN_LIMITS.whereDepthMax) return given;
  if (Array.isArray(given)) return given.map((part) => toModelWhere(part, levels, depth));
  const group = given as Record<string, unknown>; // JSON
  if ("field" in group) return toModelLeaf(group, levels);
  return Object.fromEntries(
    Object.entries(group).map(([name, part]) => [name, toModelWhere(part, levels, depth + 1)]),
  );
}

/** The text of a `where`; one that is no JSON stays, for the engine to refuse. */
function toModelWhereText(text: string, levels: readonly LevelRow[]): string {
  let given: unknown;
  try {
    given = JSON.parse(text);
  } catch {
    return text; // the engine says what is wrong with it
  }
  return JSON.stringify(toModelWhere(given, levels));
}

const NAMED = /^(filters|sort)\[(\d{1,3})\]\[field\]$/;

/**
 * Puts the query of the user endpoints into the names of the model: `access_level`, `is_staff` and `is_superuser` become the
 * rows of the levels that they mean, few as these are, so that the index over them is used.
 * @throws AppError unknown_operator or invalid_query.
 */
export function toModelQuery(query: Query, levels: readonly LevelRow[]): Record<string, unknown> {
  const renamed: Record<string, unknown> = { ...query };
  for (const [key, name] of Object.entries(query)) {
    const [, group, index] = NAMED.exec(key) ?? [];
    if (group === undefined || typeof name !== "string") continue;
    renamed[key] = FIELD_BY_NAME[name] ?? name;
    if (group === "sort" || !LEVEL_NAMES.includes(name)) continue;
    const operator = String(query[`filters[${index}][operator]`] ?? "exact");
    const value = String(query[`filters[${index}][value]`] ?? "");
    renamed[key] = "access_level_id";
    renamed[`filters[${index}][value]`] = toLevelIds(name, operator, value, levels);
    renamed[`filters[${index}][operator]`] = "in";
  }
  if (typeof query.where === "string" && query.where !== "")
    renamed.where = toModelWhereText(query.where, levels);
  return renamed;
}

/** A record of the model as its fields are declared. */
interface UserRecord extends ModelRecord {
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  access_level_id: { id: number; repr: string } | null;
  is_active: boolean;
  is_email_verified: boolean;
  admission: Admission;
  last_login_at: string | null;
  created_at: string;
}

/** The documented item of a record (specification B section 3). */
export function toAdminUser(record: ModelRecord, levels: readonly LevelRow[], lang: Language): AdminUser {
  const user = record as UserRecord; // the registry has checked the declaration of the model
  const row = levels.find(({ id }) => id === user.access_level_id?.id);
  const level = row?.level ?? ACCESS_LEVEL.guest;
  return {
    id: user.id,
    username: user.username,
    email: user.email,
    first_name: user.first_name,
    last_name: user.last_name,
    date_joined: user.created_at,
    is_staff: hasAdminAccess(level),
    is_superuser: level === ACCESS_LEVEL.superuser,
    access_level: level,
    access_level_name: row ? pickText(row.name, lang) : "",
    is_email_verified: user.is_email_verified,
    is_active: user.is_active,
    admission: user.admission,
    last_login: user.last_login_at,
  };
}

const WRITTEN = [
  "username",
  "email",
  "first_name",
  "last_name",
  "is_active",
  "is_email_verified",
  "admission",
] as const satisfies readonly (keyof AdminUserWrite)[];

/** The model's values of a documented body. @throws AppError validation_failed where there is no such level. */
export function toUserValues(
  { access_level, ...body }: AdminUserWrite,
  levels: readonly LevelRow[],
): Record<string, unknown> {
  const values = Object.fromEntries(WRITTEN.filter((name) => name in body).map((name) => [name, body[name]]));
  if (access_level === undefined) return values;
  const found = levels.find(({ level }) => level === access_level);
  if (!found)
    throw new AppError("validation_failed", {
      fields: [{ field: "access_level", code: "related_not_found" }],
    });
  return { ...values, access_level_id: found.id };
}

const NAME_BY_FIELD: Readonly<Record<string, string>> = {
  ...Object.fromEntries(Object.entries(FIELD_BY_NAME).map(([name, field]) => [field, name])),
  access_level_id: "access_level",
};

/** Names of fields inside a text of the engine, such as `filters created_at`. */
function toEndpointNames(text: string | number): string | number {
  if (typeof text === "number") return text;
  return text.replaceAll(/\w+/g, (word) => NAME_BY_FIELD[word] ?? word);
}

function toEndpointVars(vars: ErrorVars): ErrorVars {
  return Object.fromEntries(
    Object.entries(vars).map(([key, value]) => [
      key,
      (key === "field" || key === "parameter") && typeof value !== "object" ? toEndpointNames(value) : value,
    ]),
  );
}

/** A refused stale write shows the account as the contract's `staleWrite` wants it: with how people call it. */
function toStaleUser(current: ModelRecord, levels: readonly LevelRow[], lang: Language): ModelRecord {
  return { ...toAdminUser(current, levels, lang), repr: current.repr };
}

/** An error of the model under the names of the documented body and query. */
export function toEndpointError(error: unknown, levels: readonly LevelRow[], lang: Language): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, fields, vars, extra, retryAfterS } = error;
  const current = staleWrite.shape.current.safeParse(extra.current);
  return new AppError(code, {
    fields: fields.map(({ field, vars: said, ...fault }) => ({
      ...fault,
      field: NAME_BY_FIELD[field] ?? field,
      ...(said && { vars: toEndpointVars(said) }),
    })),
    vars: toEndpointVars(vars),
    ...(retryAfterS !== undefined && { retryAfterS }),
    extra: { ...extra, ...(current.success && { current: toStaleUser(current.data, levels, lang) }) },
    cause: error,
  });
}
