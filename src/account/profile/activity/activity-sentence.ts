import type { ActivityEntry } from "#contract/accounts/own-account.ts";
import type { AccountText } from "../../account-text.tsx";

type Key = Parameters<AccountText>[0];
export type ActivityIcon = "enter" | "leave" | "key" | "warning" | "edit" | "add" | "remove" | "look";

interface Kind {
  key: Key;
  icon: ActivityIcon;
}

/** What the audit log calls things, where the six types of action are too coarse. */
const BY_DETAIL: Readonly<Record<string, Kind>> = {
  failed_sign_in: { key: "profile:activity.failedSignIn", icon: "warning" },
  too_many_sign_ins: { key: "profile:activity.tooManySignIns", icon: "warning" },
  insufficient_permissions: { key: "profile:activity.consoleRefused", icon: "warning" },
  failed_confirmation: { key: "profile:activity.failedConfirmation", icon: "warning" },
  too_many_confirmations: { key: "profile:activity.failedConfirmation", icon: "warning" },
  failed_code: { key: "profile:activity.failedCode", icon: "warning" },
  token_reuse: { key: "profile:activity.tokenReuse", icon: "warning" },
  register: { key: "profile:activity.registered", icon: "add" },
  setup: { key: "profile:activity.setUp", icon: "add" },
  create_superuser: { key: "profile:activity.setUp", icon: "add" },
  verify_email: { key: "profile:activity.emailVerified", icon: "key" },
  change_email: { key: "profile:activity.emailChanged", icon: "key" },
  change_password: { key: "profile:activity.passwordChanged", icon: "key" },
  password_reset: { key: "profile:activity.passwordReset", icon: "key" },
  session_revoked: { key: "profile:activity.sessionRevoked", icon: "leave" },
  signed_out_everywhere: { key: "profile:activity.sessionsRevoked", icon: "leave" },
  try_address: { key: "profile:activity.addressTried", icon: "key" },
  profile: { key: "profile:activity.profileChanged", icon: "edit" },
};

/** Ways in other than a password: what opened the session has an entry of its own. */
const OPENED_BY = ["verify_email", "password_reset", "setup"];

/** Without a name of what it was done to. */
const BY_ACTION: Readonly<Record<ActivityEntry["action_type"], Kind>> = {
  LOGIN: { key: "profile:activity.signedIn", icon: "enter" },
  LOGOUT: { key: "profile:activity.signedOut", icon: "leave" },
  CREATE: { key: "profile:activity.createdSomething", icon: "add" },
  UPDATE: { key: "profile:activity.updatedSomething", icon: "edit" },
  DELETE: { key: "profile:activity.deletedSomething", icon: "remove" },
  VIEW: { key: "profile:activity.viewedSomething", icon: "look" },
};

const WITH_OBJECT: Readonly<Partial<Record<ActivityEntry["action_type"], Key>>> = {
  CREATE: "profile:activity.created",
  UPDATE: "profile:activity.updated",
  DELETE: "profile:activity.deleted",
  VIEW: "profile:activity.viewed",
};

/** What an entry of the audit log says to the person who did it, as a sentence with an icon. */
export function describeActivity(
  { action_type, detail, object_repr }: ActivityEntry,
  username: string,
  t: AccountText,
): { sentence: string; icon: ActivityIcon } {
  if (detail === "export") {
    // One's own data, or the rows of a model.
    const isOwn = object_repr === null || object_repr === username;
    const sentence = isOwn
      ? t("profile:activity.exported")
      : t("profile:activity.exportedObject", { object: object_repr });
    return { sentence, icon: "look" };
  }
  const isPlain = detail === null || (action_type === "LOGIN" && OPENED_BY.includes(detail));
  const named = isPlain ? undefined : BY_DETAIL[detail];
  if (named) return { sentence: t(named.key), icon: named.icon };
  const { key, icon } = BY_ACTION[action_type];
  const withObject = object_repr ? WITH_OBJECT[action_type] : undefined;
  return { sentence: withObject ? t(withObject, { object: object_repr ?? "" }) : t(key), icon };
}
