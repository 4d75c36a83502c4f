import type { TFunction } from "i18next";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { type AdminUser, adminUser } from "#contract/accounts/admin-users.ts";
import type { FieldInfo, ModelRecord } from "#contract/content/models.ts";
import type { RecordSource, SaveQuestion } from "./record-source.ts";
import { toTimelinePath } from "./screens.ts";

/** Who is signed in. */
export interface Own {
  id: number;
  accessLevel: number;
}

/** A row of the users' list as the documented item; undefined where the server sent less than that. */
export function parseUser(record: ModelRecord): AdminUser | undefined {
  return adminUser.safeParse(record).data;
}

/** An access level as a choice. One that is off stays with who has it, and is given to nobody else. */
export interface LevelChoice {
  level: number;
  label: string;
  isActive: boolean;
}

export function toChoices(levels: readonly LevelChoice[]): FieldInfo["choices"] {
  return levels.map(({ level, label }) => ({ value: String(level), label }));
}

/** The form's fields with the levels that may be given: up to one's own, and the one that the person has. */
function withGivable(
  fields: readonly FieldInfo[],
  { own, levels }: UserDeps,
  current: number | undefined,
): FieldInfo[] {
  const choices = toChoices(
    levels.filter(({ level, isActive }) => level === current || (isActive && level <= own.accessLevel)),
  );
  return fields.map((field) => (field.name === "access_level" ? { ...field, choices } : field));
}

/** Nobody is made to wait, and who is in has nothing to be decided about. */
function withDecision(fields: readonly FieldInfo[], { admission }: AdminUser): FieldInfo[] {
  if (admission === "admitted") return fields.filter(({ name }) => name !== "admission");
  return fields.map((field) =>
    field.name === "admission"
      ? { ...field, choices: field.choices.filter(({ value }) => value !== "waiting" || admission === value) }
      : field,
  );
}

interface UserDeps {
  t: TFunction;
  own: Own;
  levels: readonly LevelChoice[];
}

/** Somebody else of one's own level, who alone changes their account, or who is above both. Superusers have nobody above them. */
export function isProtectedPeer(
  { id, access_level }: Pick<AdminUser, "id" | "access_level">,
  own: Own,
): boolean {
  return id !== own.id && access_level === own.accessLevel && access_level < ACCESS_LEVEL.superuser;
}

/** Why a form says something before it is filled in. */
function toNotice(user: AdminUser, own: Own, t: TFunction): string | undefined {
  if (user.access_level > own.accessLevel) return t("users.notice.above");
  if (isProtectedPeer(user, own)) return t("users.notice.peer");
  if (user.id === own.id) return t("users.notice.own");
  return user.access_level === ACCESS_LEVEL.superuser ? t("users.notice.superuser") : undefined;
}

/** That mail doesn't reach the person, and why. */
function toMailNotice({ email, mail_state: state }: AdminUser, t: TFunction): string | undefined {
  return state ? t(`users.mailNotice.${state.state}`, { email, reason: state.reason }) : undefined;
}

/** What one's own level would become, asked before it does. */
function toLevelQuestion(user: AdminUser, next: unknown, { t, levels }: UserDeps): SaveQuestion | undefined {
  const level = Number(next);
  if (next === null || next === undefined || level >= user.access_level) return undefined;
  const toName = (value: number) => levels.find((choice) => choice.level === value)?.label ?? String(value);
  return {
    title: t("users.question.title"),
    text: t("users.question.text", { before: toName(user.access_level), after: toName(level) }),
    ok: t("users.question.ok"),
  };
}

/** A new account may log in, and nothing has happened with it yet. */
const NOT_WHEN_NEW = ["is_active", "admission", "date_joined", "last_login"];

function toNewSource(source: RecordSource, fields: readonly FieldInfo[], deps: UserDeps): RecordSource {
  const asked = fields.filter(({ name }) => !NOT_WHEN_NEW.includes(name));
  return { ...source, fields: withGivable(asked, deps, undefined), notice: deps.t("users.notice.new") };
}

function toKnownSource(
  source: RecordSource,
  fields: readonly FieldInfo[],
  user: AdminUser,
  deps: UserDeps,
): RecordSource {
  const { own, t } = deps;
  const isOwn = user.id === own.id;
  const isClosed = user.access_level > own.accessLevel || isProtectedPeer(user, own);
  // Nobody says where another superuser's mail goes.
  const isOwner = !isOwn && user.access_level === ACCESS_LEVEL.superuser;
  const isReadOnly = (name: string) =>
    (isOwn && name === "is_active") || (isOwner && (name === "email" || name === "is_email_verified"));
  const { permissions } = source;
  const notices = [permissions.update ? toNotice(user, own, t) : undefined, toMailNotice(user, t)];
  const notice = notices.filter((text) => text !== undefined).join(" ");
  return {
    ...source,
    ...(notice !== "" && { notice }),
    permissions: {
      ...permissions,
      update: permissions.update && !isClosed,
      delete: permissions.delete && !isClosed && !isOwn && user.access_level !== ACCESS_LEVEL.superuser,
    },
    fields: withGivable(withDecision(fields, user), deps, user.access_level).map((field) =>
      isReadOnly(field.name) ? { ...field, read_only: true } : field,
    ),
    ...(isOwn && { toQuestion: (inputs) => toLevelQuestion(user, inputs.access_level, deps) }),
  };
}

/** The source as one person has it: nobody changes who is above them or beside them, and nobody suspends themselves. */
export function toUserSource(source: RecordSource, record: ModelRecord | null, deps: UserDeps): RecordSource {
  // What `Status` says in a list, the level says in a form.
  const fields = source.fields.filter(({ name }) => name !== "is_staff");
  if (record === null) return toNewSource(source, fields, deps);
  const links = [
    { label: deps.t("users.links.actions"), to: `/admin/actions?filter=user:exact:${record.id}` },
    ...(typeof record.email === "string" && record.email !== ""
      ? [{ label: deps.t("users.links.mails"), to: toTimelinePath(record.email) }]
      : []),
  ];
  const user = parseUser(record);
  return { ...(user ? toKnownSource(source, fields, user, deps) : source), links };
}
