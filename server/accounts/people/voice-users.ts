import { hasAdminAccess } from "#contract/access-levels.ts";
import { privacySettings } from "#contract/preferences.ts";
import type { VoiceUser } from "#contract/voice-users.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { AccountParts } from "../deps.ts";
import { toOwnVoiceUser, toVoiceUser } from "../voice/voice-user.ts";
import { findVoiceAccount, listOnline, type Moment, searchVoiceAccounts } from "./store.ts";

const MAX_FOUND = 20;
const MAX_ONLINE = 200;

export interface VoiceParts {
  accounts: AccountParts;
  /** A client in use renews its access token in this time: who didn't has gone. */
  presenceMs: number;
}

function toMoment({ accounts, presenceMs }: VoiceParts): Moment {
  const now = accounts.clock();
  return { now, presentSince: now - presenceMs };
}

/**
 * One person by exact name or number. People who don't want to be found are there for admins and for themselves alone.
 * @throws AppError not_found.
 */
export async function getVoiceUser(
  parts: VoiceParts,
  viewer: SignedIn,
  by: { id: number } | { username: string },
): Promise<VoiceUser> {
  const account = await findVoiceAccount(parts.accounts.pool, toMoment(parts), by);
  if (!account) throw new AppError("not_found");
  if (account.id === viewer.userId) return toOwnVoiceUser(account);
  const { is_searchable } = privacySettings.parse(account.privacy_settings);
  if (!is_searchable && !hasAdminAccess(viewer.level)) throw new AppError("not_found");
  return toVoiceUser(account);
}

export async function searchVoiceUsers(
  parts: VoiceParts,
  viewer: SignedIn,
  text: string,
): Promise<VoiceUser[]> {
  const search = { text, exceptId: viewer.userId, limit: MAX_FOUND };
  return (await searchVoiceAccounts(parts.accounts.pool, toMoment(parts), search)).map(toVoiceUser);
}

export async function listOnlineUsers(parts: VoiceParts): Promise<VoiceUser[]> {
  return (await listOnline(parts.accounts.pool, toMoment(parts), MAX_ONLINE)).map(toVoiceUser);
}

/** A person's state as it is now, for the client that is to show it. @throws AppError permission_denied, not_found. */
export async function syncVoiceUser(parts: VoiceParts, viewer: SignedIn, id: number): Promise<VoiceUser> {
  if (id !== viewer.userId && !hasAdminAccess(viewer.level)) throw new AppError("permission_denied");
  return getVoiceUser(parts, viewer, { id });
}
