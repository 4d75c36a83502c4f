import * as z from "zod/mini";
import { language } from "../values.ts";

/** Access levels (specification A section 6): 0 guest, 1 to 9 user, 10 and above admin, 999 superuser. */
export const ACCESS_LEVEL = { guest: 0, user: 1, moderator: 5, admin: 10, superuser: 999 } as const;

/** Whether a level opens the administration console. */
export function hasAdminAccess(level: number): boolean {
  return level >= ACCESS_LEVEL.admin;
}

export const passwordText = z.string().check(z.minLength(1), z.maxLength(1024));
export const emailText = z.string().check(z.trim(), z.minLength(1), z.maxLength(320));
export const usernameText = z.string().check(z.trim(), z.minLength(1), z.maxLength(254));
/** A browser's secret of its registration: whoever holds it may verify, or take the registration back. */
export const ticketText = z.string().check(z.maxLength(200));

/** POST /api/users/login/, /api/auth/token/, /api/admin/login/, /voice/auth/login. */
export const loginRequest = z.object({
  username: usernameText,
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type LoginRequest = z.infer<typeof loginRequest>;

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
  /** Avatar, first and last name, bio. */
  show_profile: z._default(z.boolean(), true),
  /** What they are called where the first and last name aren't shown; empty: by their number. */
  shown_name: z._default(z.string(), ""),
});
export type PrivacySettings = z.infer<typeof privacySettings>;

/** Of every account from its beginning: people show themselves when they choose to. Accounts from before have the defaults above. */
export const NEW_ACCOUNT_PRIVACY: PrivacySettings = {
  is_searchable: false,
  show_online: false,
  show_profile: false,
  shown_name: "",
};

/** The profile of an account (specification A section 3). Addresses of pictures begin with `/`. */
export const accountProfile = z.object({
  bio: z._default(z.string(), ""),
  avatar: z._default(z.nullable(z.string()), null),
  cover: z._default(z.nullable(z.string()), null),
  first_name: z.string(),
  last_name: z.string(),
  voice_preferences: z.prefault(voicePreferences, {}),
  notification_preferences: z.prefault(notificationPreferences, {}),
  privacy_settings: z.prefault(privacySettings, {}),
  admin_theme: z.enum(["light", "dark", "auto"]),
  /** Null: none was chosen. */
  admin_language: z.nullable(language),
  can_access_admin: z.boolean(),
  is_superuser: z.boolean(),
  /** ISO moments. */
  last_admin_login: z._default(z.nullable(z.string()), null),
  created_at: z._default(z.string(), ""),
  updated_at: z._default(z.string(), ""),
});
export type AccountProfile = z.infer<typeof accountProfile>;

/** The signed-in person (specification A section 3, auth user). */
export const accountUser = z.object({
  id: z.number(),
  username: z.string(),
  email: z.string(),
  display_name: z.string(),
  access_level: z.number(),
  access_level_name: z.string(),
  is_email_verified: z.boolean(),
  /** Whether the console is open to them. Not every back end says it. */
  is_staff: z._default(z.boolean(), false),
  /** Until when the console stays open without a second factor (ISO moment); null: nothing is owed. */
  second_factor_due_at: z._default(z.nullable(z.string()), null),
  profile: accountProfile,
});
export type AccountUser = z.infer<typeof accountUser>;

export const loginAnswer = z.object({
  tokens: z.object({ access_token: z.string(), refresh_token: z.string() }),
  user: accountUser,
});
export type LoginAnswer = z.infer<typeof loginAnswer>;

/** POST /api/auth/token/refresh/, /api/users/refresh/ and their likes. The answer's `refresh` replaces the one that was spent. */
export const refreshRequest = z.object({ refresh: z.string().check(z.minLength(1), z.maxLength(512)) });
export const refreshAnswer = z.object({ access: z.string(), refresh: z.optional(z.string()) });
export type RefreshAnswer = z.infer<typeof refreshAnswer>;

/** POST /api/auth/token/verify/: 200 with what the access token says, else 401. */
export const verifyTokenRequest = z.object({ token: z.string().check(z.minLength(1), z.maxLength(4096)) });
export const verifyTokenAnswer = z.object({
  valid: z.boolean(),
  user_id: z.number(),
  access_level: z.number(),
  /** Seconds that remain. */
  expires_in: z.number(),
});
/** POST /api/users/password/, /voice/auth/change-password. Ends all other sessions. */
export const changePasswordRequest = z.object({
  current_password: passwordText,
  new_password: passwordText,
  new_password_confirm: passwordText,
});
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>;
export const doneAnswer = z.object({ success: z.literal(true), message: z.string() });
export type DoneAnswer = z.infer<typeof doneAnswer>;
/** DELETE /api/users/me/ */
export const deleteAccountRequest = z.object({ password: passwordText });

/** GET /api/admin/permissions/: every model and operation, one call a session. */
export const permissionsAnswer = z.object({
  access_level: z.number(),
  is_superuser: z.boolean(),
  models: z.array(
    z.object({
      content_type_id: z.number(),
      app_label: z.string(),
      model_name: z.string(),
      permissions: z.object({
        view: z.boolean(),
        create: z.boolean(),
        update: z.boolean(),
        delete: z.boolean(),
      }),
    }),
  ),
});
export type PermissionsAnswer = z.infer<typeof permissionsAnswer>;
