import * as z from "zod/mini";

/** Pages and parts of them may say less than everything: what is missing has its default (specification B sections 2, 3 and 9). */
export const voicePreferences = z.object({
  /** Per cent of the level at which speaking begins. */
  sensitivity: z._default(z.int().check(z.minimum(10), z.maximum(50)), 25),
  quality: z._default(z.enum(["low", "medium", "high"]), "medium"),
  /** Mute when speaking stops. */
  auto_mute: z._default(z.boolean(), false),
  auto_mute_on_join: z._default(z.boolean(), false),
  auto_video_off: z._default(z.boolean(), true),
  echo_cancellation: z._default(z.boolean(), true),
  noise_suppression: z._default(z.boolean(), true),
  /** 0 is silent, 1 as it comes. */
  volume: z._default(z.number().check(z.minimum(0), z.maximum(1)), 1),
  microphone_gain: z._default(z.number().check(z.minimum(0), z.maximum(2)), 1),
  /** The microphone is on only while a key is held. */
  push_to_talk: z._default(z.boolean(), false),
  /** Whether sound goes through a relay, so that others don't learn the own network address. `auto`: in public rooms. */
  hide_address: z._default(z.enum(["auto", "always", "never"]), "auto"),
  /** Sounds for comings and goings. */
  sounds: z._default(z.boolean(), true),
});
export type VoicePreferences = z.infer<typeof voicePreferences>;

/** Notices that a person may do without. All others always come. */
export const notificationPreferences = z.object({
  /** A mail when somebody signs in from a device that wasn't used before. */
  new_sign_in: z._default(z.boolean(), true),
  /** How the person is notified that somebody is in a room of theirs; `browser`: while a page of the voice rooms is open. */
  room_entered: z._default(z.enum(["off", "browser", "mail"]), "off"),
});
export type NotificationPreferences = z.infer<typeof notificationPreferences>;

/** What other signed-in people get to know. */
export const privacySettings = z.object({
  /** Found by search and by name. */
  is_searchable: z._default(z.boolean(), true),
  /** Listed among those who are online. */
  show_online: z._default(z.boolean(), true),
  /** Avatar, first and last name, bio; without it others see the username alone. */
  show_profile: z._default(z.boolean(), true),
});
export type PrivacySettings = z.infer<typeof privacySettings>;
