import type {
  NotificationPreferences,
  PrivacySettings,
  VoicePreferences,
} from "#contract/accounts/preferences.ts";
import { sendProfile, toForm } from "../profile-call.ts";
import { useProfile } from "../profile-context.tsx";
import { type Setting, useSetting } from "./setting.tsx";

/** A slider rests this long before it is saved. */
const REST_MS = 500;

interface PreferenceGroups {
  voice_preferences: VoicePreferences;
  notification_preferences: NotificationPreferences;
  privacy_settings: PrivacySettings;
}

/** Sends one part of the profile. */
export function useSendPart() {
  const { services, take, withSession } = useProfile();
  return async (values: Readonly<Record<string, string>>): Promise<void> =>
    take(await withSession(() => sendProfile(services.getHttp(), toForm(values))));
}

/** One preference of a group. It goes out alone: the server changes only what is named, so others are never put back. */
export function usePreference<
  Group extends keyof PreferenceGroups,
  Name extends keyof PreferenceGroups[Group],
>(group: Group, name: Name, options: { isSlider?: boolean } = {}): Setting<PreferenceGroups[Group][Name]> {
  const { profile } = useProfile();
  const send = useSendPart();
  // The group's own schema gave it; the compiler can't follow a generic key that far.
  const saved = (profile as PreferenceGroups)[group][name];
  return useSetting(
    saved,
    (value) => send({ [group]: JSON.stringify({ [name]: value }) }),
    options.isSlider ? REST_MS : 0,
  );
}
