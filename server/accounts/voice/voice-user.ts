import { privacySettings } from "#contract/preferences.ts";
import type { VoiceUser } from "#contract/voice-users.ts";
import { toSeen } from "../people/describe-people.ts";
import type { VoiceAccount } from "../people/store.ts";

/** What others see of a person. Whoever is not to be seen online, or wasn't there of late, looks offline. */
export function toVoiceUser(account: VoiceAccount): VoiceUser {
  const { show_profile, show_online } = privacySettings.parse(account.privacy_settings);
  const isShownOnline = show_online && account.is_present;
  return {
    id: account.id,
    username: account.username,
    ...toSeen(account),
    bio: show_profile ? account.bio : "",
    access_level: account.access_level,
    status: isShownOnline ? account.voice_status : "offline",
  };
}

/** The same for the person themselves, who hides nothing from themselves. */
export function toOwnVoiceUser(account: VoiceAccount): VoiceUser {
  return toVoiceUser({ ...account, privacy_settings: {} });
}
