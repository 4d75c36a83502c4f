import { ACCESS_LEVEL, hasAdminAccess } from "#contract/access-levels.ts";
import type { AdminUser, AdminUserWrite } from "#contract/admin-users.ts";
import { type Language, pickText } from "#contract/languages.ts";
import { type ModelRecord, staleWrite } from "#contract/models.ts";
import { AppError } from "#server/http/errors.ts";
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

/** The model's values of a documented body. @throws AppError validation_failed where there is no such level. */
export function toUserValues(
  { access_level, ...values }: AdminUserWrite,
  levels: readonly LevelRow[],
): Record<string, unknown> {
  if (access_level === undefined) return values;
  const found = levels.find(({ level }) => level === access_level);
  if (!found)
    throw new AppError("validation_failed", {
      fields: [{ field: "access_level", code: "related_not_found" }],
    });
  return { ...values, access_level_id: found.id };
}

/** An error of the model under the names of the documented body. */
export function toDoorError(error: unknown, levels: readonly LevelRow[], lang: Language): unknown {
  if (!(error instanceof AppError)) return error;
  const { code, fields, vars, extra, retryAfterS } = error;
  const current = staleWrite.shape.current.safeParse(extra.current);
  return new AppError(code, {
    fields: fields.map((fault) =>
      fault.field === "access_level_id" ? { ...fault, field: "access_level" } : fault,
    ),
    vars,
    ...(retryAfterS !== undefined && { retryAfterS }),
    extra: { ...extra, ...(current.success && { current: toAdminUser(current.data, levels, lang) }) },
    cause: error,
  });
}
