import { hasAdminAccess, privacySettings } from "#contract/accounts/accounts.ts";
import type { VoiceUser } from "#contract/voice/people.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { AccountDeps } from "../deps.ts";
import { changeOwnAccount } from "../profile/own-account.ts";
import { PREFERENCES, type PreferencesField, parsePreferences } from "../profile/parse-change.ts";
import { findOwnAccount, type OwnAccount, type OwnChange } from "../profile/store.ts";
import { toVoiceUser } from "./describe-people.ts";
import { findVoiceAccount, listOnline, type Moment, searchVoiceAccounts, setVoiceStatus } from "./store.ts";

const MAX_FOUND = 20;
const MAX_ONLINE = 200;

export interface VoiceDeps {
  accounts: AccountDeps;
  /** A client in use renews its access token in this time: who didn't has gone. */
  presenceMs: number;
}

function toMoment({ accounts, presenceMs }: VoiceDeps): Moment {
  const now = accounts.clock();
  return { now, presentSince: now - presenceMs };
}

/**
 * One person by exact name or number. People who don't want to be found are there for admins and for themselves alone.
 * @throws AppError not_found.
 */
export async function getVoiceUser(
  deps: VoiceDeps,
  viewer: SignedIn,
  by: { id: number } | { username: string },
): Promise<VoiceUser> {
  const account = await findVoiceAccount(deps.accounts.pool, toMoment(deps), by);
  if (!account) throw new AppError("not_found");
  const { is_searchable } = privacySettings.parse(account.privacy_settings);
  const isTold = account.id === viewer.userId || hasAdminAccess(viewer.level);
  if (!is_searchable && !isTold) throw new AppError("not_found");
  return toVoiceUser(account, viewer);
}

export async function searchVoiceUsers(
  deps: VoiceDeps,
  viewer: SignedIn,
  text: string,
): Promise<VoiceUser[]> {
  const search = { text, exceptId: viewer.userId, limit: MAX_FOUND };
  const found = await searchVoiceAccounts(deps.accounts.pool, toMoment(deps), search);
  return found.map((account) => toVoiceUser(account, viewer));
}

export async function listOnlineUsers(deps: VoiceDeps, viewer: SignedIn): Promise<VoiceUser[]> {
  const found = await listOnline(deps.accounts.pool, toMoment(deps), MAX_ONLINE);
  return found.map((account) => toVoiceUser(account, viewer));
}

/** A person's state as it is now, for the client that is to show it. @throws AppError permission_denied, not_found. */
export async function syncVoiceUser(deps: VoiceDeps, viewer: SignedIn, id: number): Promise<VoiceUser> {
  if (id !== viewer.userId && !hasAdminAccess(viewer.level)) throw new AppError("permission_denied");
  return getVoiceUser(deps, viewer, { id });
}

async function change(
  accounts: AccountDeps,
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
export async function getPreferences(accounts: AccountDeps, person: SignedIn, field: PreferencesField) {
  const account = await findOwnAccount(accounts.pool, person.userId);
  if (!account) throw new AppError("session_expired");
  return PREFERENCES[field].parse(account[field]);
}

/** Changes the keys that were sent. @throws AppError validation_failed with every fault. */
export async function changePreferences(
  accounts: AccountDeps,
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
  accounts: AccountDeps,
  person: SignedIn,
  status: VoiceUser["status"],
): Promise<void> {
  if (!(await setVoiceStatus(accounts.pool, person.userId, status))) throw new AppError("session_expired");
}
