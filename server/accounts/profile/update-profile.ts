import type { OwnProfile } from "#contract/accounts/own-account.ts";
import { takeSlot } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import { type Account, type Client, toMailLanguage } from "../account.ts";
import { cancelEmailChange, requestEmailChange } from "../claims/change-email.ts";
import { removeOldClaims } from "../claims/claims.ts";
import { CLAIM_LIFETIME_MS } from "../claims/store.ts";
import { lockAddress } from "../codes/store.ts";
import { confirmPassword } from "../passwords/confirm-password.ts";
import { toTakenError } from "../store.ts";
import type { ProfileDeps } from "./deps.ts";
import { changeOwnAccount, toOwnProfile } from "./own-account.ts";
import { PREFERENCES_FIELDS, type ProfileChange, parseProfileChange } from "./parse-change.ts";
import { dropPictures, type PictureKeys, storePictures } from "./pictures.ts";
import type { ProfileForm } from "./read-form.ts";
import { findOwnAccount, type OwnChange } from "./store.ts";

function isNewAddress(change: ProfileChange, account: Account): boolean {
  return change.email !== undefined && change.email.toLowerCase() !== account.email.toLowerCase();
}

/**
 * Another address is asked for with the password: a browser that was left open can't take the account away. Counted, because
 * strangers get a mail for it.
 */
async function confirmNewAddress(
  { accounts, limits }: ProfileDeps,
  person: SignedIn,
  change: ProfileChange,
  client: Client,
): Promise<void> {
  const account = await findOwnAccount(accounts.pool, person.userId);
  if (!account) throw new AppError("session_expired");
  if (!isNewAddress(change, account)) return;
  await confirmPassword(accounts, person, change.current_password ?? "", "current_password", client);
  await takeSlot(limits.addressChanges, String(person.userId));
  await accounts.callLimits.take("code_request", client);
}

function toOwnChange(change: ProfileChange, keys: PictureKeys, before: Account): OwnChange {
  const { email: _email, current_password: _password, preferences, pictures: _pictures, ...texts } = change;
  const merged = PREFERENCES_FIELDS.filter((field) => preferences[field]).map((field) => [
    field,
    { ...before[field], ...preferences[field] },
  ]);
  return { ...texts, ...keys, ...Object.fromEntries(merged) };
}

/**
 * Before the account's row is locked: its address, because whoever types the code locks them in this order; and what held the
 * username for too long without proving an address goes.
 */
async function makeRoom(db: Queryable, person: SignedIn, change: ProfileChange, now: number): Promise<void> {
  const { email, username } = change;
  if (email !== undefined) await lockAddress(db, email.toLowerCase());
  const isRenamed = username !== undefined && username.toLowerCase() !== person.username.toLowerCase();
  if (isRenamed) await removeOldClaims(db, now - CLAIM_LIFETIME_MS, username);
}

/** A new address waits for its code; the old one, sent again, ends the waiting. True when the account's row changed. */
async function changeAddress(
  { accounts }: ProfileDeps,
  db: Queryable,
  person: SignedIn,
  change: ProfileChange,
  before: Account,
): Promise<boolean> {
  if (change.email === undefined) return false;
  if (isNewAddress(change, before)) {
    await requestEmailChange(accounts, db, person, change.email, toMailLanguage(before));
    return true;
  }
  if (before.pending_email === null) return false;
  await cancelEmailChange(db, before.id);
  return true;
}

/**
 * Saves what was sent, all of it or nothing.
 * @throws AppError validation_failed with every fault, unsupported_file, body_too_large, too_many_requests, too_many_logins.
 */
export async function updateProfile(
  deps: ProfileDeps,
  person: SignedIn,
  form: ProfileForm,
  client: Client,
): Promise<OwnProfile> {
  const { accounts } = deps;
  const change = parseProfileChange(form);
  if (change.email !== undefined) await confirmNewAddress(deps, person, change, client);
  const keys = await storePictures(deps, person.userId, change.pictures);
  let isWritten = false;
  try {
    const { before, after } = await withTransaction(accounts.pool, async (db) => {
      await makeRoom(db, person, change, accounts.clock());
      const changed = await changeOwnAccount(
        db,
        person,
        accounts.clock(),
        (account) => toOwnChange(change, keys, account),
        (account) => changeAddress(deps, db, person, change, account),
      );
      isWritten = true;
      return changed;
    });
    accounts.sessionAccounts.drop();
    await dropPictures(deps, [
      before.avatar === after.avatar ? null : before.avatar,
      before.cover === after.cover ? null : before.cover,
    ]);
    return toOwnProfile(after);
  } catch (error) {
    // A connection that breaks at COMMIT leaves open what came of it: the row may name the new pictures. If not, the daily sweep takes them.
    if (!isWritten) await dropPictures(deps, Object.values(keys));
    throw toTakenError(error);
  }
}
