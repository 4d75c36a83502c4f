import { ACCESS_LEVEL, hasAdminAccess } from "#contract/access-levels.ts";
import type { AdminUser, AdminUserWrite } from "#contract/admin-users.ts";
import { type Language, pickText } from "#contract/languages.ts";
import { type ModelRecord, staleWrite } from "#contract/models.ts";
import { AppError, type ErrorVars } from "#server/base/errors.ts";
import { FIELD_BY_NAME } from "./documented-shape.ts";
import type { LevelRow } from "./level-store.ts";

/** A record of the model as its fields are declared. */
interface UserRecord extends ModelRecord {
  username: string;
  email: string;
  first_name: string;
  last_name: string;
  access_level_id: { id: number; repr: string } | null;
  is_active: boolean;
  is_email_verified: boolean;
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
function toDoorNames(text: string | number): string | number {
  if (typeof text === "number") return text;
  return text.replaceAll(/\w+/g, (word) => NAME_BY_FIELD[word] ?? word);
}

function toDoorVars(vars: ErrorVars): ErrorVars {
  return Object.fromEntries(
    Object.entries(vars).map(([key, value]) => [
      key,
      key === "field" || key === "parameter" ? toDoorNames(value) : value,
    ]),
  );
}

/** A refused stale write shows the account as the contract's `staleWrite` wants it: with how people call it. */
function toStaleUser(current: ModelRecord, levels: readonly LevelRow[], lang: Language): ModelRecord {
  return { ...toAdminUser(current, levels, lang), repr: current.repr };
}

/** An error of the model under the names of the documented body and query. */
export function toDoorError(error: unknown, levels: readonly LevelRow[], lang: Language): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, fields, vars, extra, retryAfterS } = error;
  const current = staleWrite.shape.current.safeParse(extra.current);
  return new AppError(code, {
    fields: fields.map(({ field, vars: said, ...fault }) => ({
      ...fault,
      field: NAME_BY_FIELD[field] ?? field,
      ...(said && { vars: toDoorVars(said) }),
    })),
    vars: toDoorVars(vars),
    ...(retryAfterS !== undefined && { retryAfterS }),
    extra: { ...extra, ...(current.success && { current: toStaleUser(current.data, levels, lang) }) },
    cause: error,
  });
}
