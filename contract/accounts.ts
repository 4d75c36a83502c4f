import * as z from "zod/mini";
import { language } from "./language-schemas.ts";
import { notificationPreferences, privacySettings, voicePreferences } from "./preferences.ts";

const password = z.string().check(z.minLength(1), z.maxLength(1024));
const email = z.string().check(z.trim(), z.minLength(1), z.maxLength(320));
const username = z.string().check(z.trim(), z.minLength(1), z.maxLength(254));
/** A browser's secret of its registration: whoever holds it may verify, or take the registration back. */
const ticket = z.string().check(z.maxLength(200));

/** POST /api/users/login/, /api/auth/token/, /api/admin/login/, /voice/auth/login. */
export const loginRequest = z.object({
  username,
  password: z.string().check(z.minLength(1), z.maxLength(256)),
});
export type LoginRequest = z.infer<typeof loginRequest>;

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

/**
 * POST /api/users/register/. An unproven registration with this `ticket` makes room. One of at least 32 characters is the new
 * registration's too, so that sending again after a lost answer is no second one; else the server makes one.
 */
export const registerRequest = z.object({
  username,
  email,
  password,
  password_confirm: password,
  ticket: z.optional(ticket),
});
export type RegisterRequest = z.infer<typeof registerRequest>;

/** The same whether the address has an account or not. */
export const registerAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  email: z.string(),
  ticket: z.string(),
  /** Seconds until another code may be asked for. */
  retry_after: z.number(),
});
export type RegisterAnswer = z.infer<typeof registerAnswer>;

/** POST /api/users/request-verification/ and /api/users/password/forgot/. The answer never tells whether there is an account. */
export const codeRequest = z.object({ email });
export const codeSentAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Seconds until another code may be asked for. */
  retry_after: z.number(),
});
export type CodeSentAnswer = z.infer<typeof codeSentAnswer>;

/** POST /api/users/verify-email/. `otp_code` is checked by the service, which has the documented texts. */
export const verifyEmailRequest = z.object({
  email,
  otp_code: z.string().check(z.maxLength(20)),
  ticket: z.optional(ticket),
});
export type VerifyEmailRequest = z.infer<typeof verifyEmailRequest>;

/** `session` is there for the browser that registered, which is signed in by it. */
export const verifyEmailAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Of the account whose address was proven: who typed the code elsewhere may have been thinking of another one. */
  username: z.string(),
  session: z.nullable(loginAnswer),
});
export type VerifyEmailAnswer = z.infer<typeof verifyEmailAnswer>;

/** POST /api/users/password/reset/. Ends all sessions and opens one here. */
export const resetPasswordRequest = z.object({
  email,
  otp_code: z.string().check(z.maxLength(20)),
  password,
  password_confirm: password,
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;
export const resetPasswordAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  session: loginAnswer,
});

/** POST /api/users/password/, /voice/auth/change-password. Ends all other sessions. */
export const changePasswordRequest = z.object({
  current_password: password,
  new_password: password,
  new_password_confirm: password,
});
export type ChangePasswordRequest = z.infer<typeof changePasswordRequest>;
export const doneAnswer = z.object({ success: z.literal(true), message: z.string() });
export type DoneAnswer = z.infer<typeof doneAnswer>;

/** GET /api/users/setup/: whether nobody owns the site yet. POST makes the owner and signs in (`loginAnswer`). */
export const setupState = z.object({ is_open: z.boolean() });
export const setupRequest = z.object({
  token: z.string().check(z.maxLength(200)),
  username,
  email,
  password,
  password_confirm: password,
});
export type SetupRequest = z.infer<typeof setupRequest>;

/** DELETE /api/users/me/ */
export const deleteAccountRequest = z.object({ password });

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
