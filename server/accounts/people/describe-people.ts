import { hasAdminAccess, privacySettings } from "#contract/accounts/accounts.ts";
import { toShownName, type VoiceUser } from "#contract/voice/people.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type Account, PORTRAIT_PREFIX } from "../account.ts";
import { selectSeenPeople } from "../store.ts";
import type { VoiceAccount } from "./store.ts";

/** Somebody as others come to see them. */
export interface DescribedPerson {
  id: number;
  /** `toShownName`. */
  display_name: string;
  /** Address of the picture. */
  avatar: string | null;
  level: number;
  /** Whether others may find them by search and by name. */
  is_searchable: boolean;
}

type Shown = Pick<Account, "id" | "first_name" | "last_name" | "avatar" | "privacy_settings">;

/** What people are called and look like to others, as their privacy settings say. */
function toSeen(account: Shown): Pick<DescribedPerson, "display_name" | "avatar"> {
  const privacy_settings = privacySettings.parse(account.privacy_settings);
  const isPictured = privacy_settings.show_profile && account.avatar;
  return {
    display_name: toShownName({ ...account, privacy_settings }),
    avatar: isPictured ? `${PORTRAIT_PREFIX}${account.avatar}` : null,
  };
}

/** People by their numbers as others see them; who is suspended, unproven, a guest or gone is missing. */
export async function describePeople(
  db: Queryable,
  ids: readonly number[],
): Promise<ReadonlyMap<number, DescribedPerson>> {
  const accounts = ids.length > 0 ? await selectSeenPeople(db, [...new Set(ids)]) : [];
  return new Map(
    accounts.map((account) => {
      const { is_searchable } = privacySettings.parse(account.privacy_settings);
      const { id, access_level: level } = account;
      return [id, { id, ...toSeen(account), level, is_searchable }];
    }),
  );
}

/**
 * What somebody sees of a person. Whoever is not to be seen online, or wasn't there of late, looks offline. What a person logs in
 * with, and what they may do, is said to themselves and to admins alone: others have a name where one is shown, else a number.
 */
export function toVoiceUser(account: VoiceAccount, viewer: Pick<SignedIn, "userId" | "level">): VoiceUser {
  const isOwn = account.id === viewer.userId;
  const settings = privacySettings.parse(account.privacy_settings);
  const { show_profile, show_online } = isOwn ? { show_profile: true, show_online: true } : settings;
  const isTold = isOwn || hasAdminAccess(viewer.level);
  return {
    id: account.id,
    ...(isTold && { username: account.username, access_level: account.access_level }),
    ...toSeen({ ...account, privacy_settings: { ...settings, show_profile } }),
    bio: show_profile ? account.bio : "",
    status: show_online && account.is_present ? account.voice_status : "offline",
  };
}
