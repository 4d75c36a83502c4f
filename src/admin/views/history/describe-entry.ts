import type { TFunction } from "i18next";
import { useCallback } from "react";
import { useTranslation } from "react-i18next";
import type { ActionEntry } from "#contract/accounts/admin-users.ts";
import type { FieldInfo } from "#contract/content/models.ts";
import type { HistoryEntry } from "#contract/content/objects.ts";

/**
 * What an entry's detail stands for, as keys of `audit.details`: the one list of such sentences, for the log, the dashboard and
 * the history of an object. A detail that isn't here has the words of its action.
 */
const DETAILS = [
  "account_deleted",
  "account_refused",
  "account_waiting",
  "alarm",
  "app_added",
  "app_removed",
  "bounce",
  "bulk",
  "change_email",
  "change_password",
  "complaint",
  "confirmed",
  "create_superuser",
  "discard",
  "export",
  "factors_removed",
  "failed_code",
  "failed_confirmation",
  "failed_second_factor",
  "failed_sign_in",
  "file_replaced",
  "first_start",
  "import",
  "import_undo",
  "insufficient_permissions",
  "lift",
  "log_end",
  "mail_confirmed",
  "move",
  "note",
  "owner_id",
  "passkey_added",
  "passkey_removed",
  "password_reset",
  "permission_change",
  "process",
  "profile",
  "recovery_codes_made",
  "register",
  "registration_approved",
  "registration_refused",
  "release",
  "renumber",
  "replay_reports",
  "resend",
  "restore",
  "return_test",
  "sample",
  "session_revoked",
  "sessions_ended",
  "setup",
  "signed_out_everywhere",
  "suppress",
  "token_reuse",
  "too_many_confirmations",
  "too_many_sign_ins",
  "try_address",
  "undo",
  "unsubscribe",
  "upload",
  "verify_email",
  "voice_ban",
  "voice_mute",
  "voice_remove",
  "voice_unban",
  "voice_unmute",
] as const;
type Detail = (typeof DETAILS)[number];

/** Details that say something else about another type of action. */
const BY_ACTION = {
  "LOGIN verify_email": "audit.openedBy.verify_email",
  "LOGIN password_reset": "audit.openedBy.password_reset",
  "LOGIN setup": "audit.openedBy.setup",
  "LOGIN app_code": "audit.openedBy.app_code",
  "LOGIN recovery_code": "audit.openedBy.recovery_code",
  "LOGIN passkey": "audit.openedBy.passkey",
  "UPDATE bulk": "audit.bulk.UPDATE",
  "DELETE bulk": "audit.bulk.DELETE",
  "CREATE sample": "audit.sample.CREATE",
  "DELETE sample": "audit.sample.DELETE",
  "DELETE voice_unban": "audit.lifted.voice_unban",
  "DELETE voice_unmute": "audit.lifted.voice_unmute",
  "UPDATE note,owner_id": "audit.notes.note_and_owner",
  "CREATE undo": "audit.undone.CREATE",
  "DELETE undo": "audit.undone.DELETE",
} as const;

/** Their message is why it was done: what somebody typed, or what a server said. */
const WITH_REASON: readonly string[] = ["bounce", "complaint", "lift", "suppress", "unsubscribe"];

const isDetail = (detail: string): detail is Detail => DETAILS.some((known) => known === detail);
const isByAction = (key: string): key is keyof typeof BY_ACTION => Object.hasOwn(BY_ACTION, key);

/** How something was done, where the log says more than that it was; undefined where it doesn't, or this list doesn't know it. */
export function describeDetail(
  { action_type, detail, change_message }: Pick<ActionEntry, "action_type" | "detail" | "change_message">,
  t: TFunction,
): string | undefined {
  if (detail === null) return undefined;
  const key = `${action_type} ${detail}`;
  if (isByAction(key)) return t(BY_ACTION[key]);
  if (!isDetail(detail)) return undefined;
  // Of what was done to somebody the message is their number.
  const text = t(`audit.details.${detail}`, { person: change_message });
  return change_message !== "" && WITH_REASON.includes(detail) ? `${text}: ${change_message}` : text;
}

const nameField = (name: string, fields: readonly FieldInfo[]) =>
  fields.find((field) => field.name === name)?.verbose_name ?? name;

/**
 * What happened, in the reader's language: by the entry's detail, by the fields that it changed, or in the words of the back
 * end; where it has none, by the type of action. `fields`: of the entry's model, where the reader sees it.
 */
export function describeEntry(
  entry: ActionEntry,
  fields: readonly FieldInfo[],
  t: TFunction,
  lang: string,
): string {
  const { action_type, change_message, changes, detail } = entry;
  const names = Object.keys(changes).map((name) => nameField(name, fields));
  const list = new Intl.ListFormat(lang, { type: "conjunction" }).format(names);
  const isChange = action_type === "UPDATE" && names.length > 0;
  // Whether somebody was suspended or raised is what one reads the log for.
  if (isChange && detail === "permission_change") return t("audit.permissionsChanged", { fields: list });
  const byDetail = describeDetail(entry, t);
  if (byDetail !== undefined) return byDetail;
  if (isChange) return t("audit.changed", { fields: list });
  const isPlain = change_message.trim() === "" || names.length > 0;
  return isPlain ? t(`audit.plain.${action_type}`) : change_message;
}

/** How something was done, in the words of the audit log; without a sentence for it, what the server wrote. */
export function useDetailText(): (entry: HistoryEntry) => string {
  const { t } = useTranslation();
  return useCallback(
    (entry) => {
      const text = describeDetail(entry, t);
      if (text !== undefined) return text;
      return Object.keys(entry.changes).length > 0 ? "" : entry.change_message;
    },
    [t],
  );
}
