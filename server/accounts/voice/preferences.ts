import type { VoiceUser } from "#contract/voice-users.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import type { AccountParts } from "../deps.ts";
import { setVoiceStatus } from "../people/store.ts";
import { changeOwnAccount } from "../profile/change-own-account.ts";
import { PREFERENCES, type PreferencesField, parsePreferences } from "../profile/parse-preferences.ts";
import { findOwnAccount, type OwnAccount, type OwnChange } from "../profile/store.ts";

async function change(
  accounts: AccountParts,
  person: SignedIn,
  toChange: (before: OwnAccount) => OwnChange,
): Promise<OwnAccount> {
  const { after } = await withTransaction(accounts.pool, (db) =>
    changeOwnAccount(db, person, accounts.clock(), toChange),
  );
  accounts.sessionAccounts.drop();
  return after;
}

/** One kind of a person's preferences; what was never chosen has its default. @throws AppError session_expired. */
export async function getPreferences(accounts: AccountParts, person: SignedIn, field: PreferencesField) {
  const account = await findOwnAccount(accounts.pool, person.userId);
  if (!account) throw new AppError("session_expired");
  return PREFERENCES[field].parse(account[field]);
}

/** Changes the keys that were sent. @throws AppError validation_failed with every fault. */
export async function changePreferences(
  accounts: AccountParts,
  person: SignedIn,
  field: PreferencesField,
  given: unknown,
) {
  const parsed = parsePreferences(field, given);
  if ("faults" in parsed) throw new AppError("validation_failed", { fields: parsed.faults });
  const account = await change(accounts, person, (before) => ({
    [field]: { ...before[field], ...parsed.change },
  }));
  return PREFERENCES[field].parse(account[field]);
}

/** What a person says of themselves in voice rooms: presence, not an edit, so the log keeps nothing of it. */
export async function changeStatus(
  accounts: AccountParts,
  person: SignedIn,
  status: VoiceUser["status"],
): Promise<void> {
  if (!(await setVoiceStatus(accounts.pool, person.userId, status))) throw new AppError("session_expired");
}
