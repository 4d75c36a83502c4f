import * as z from "zod/mini";

/** What the browser's WebAuthn takes as JSON; the libraries on both sides know what. */
const browserOptions = z.unknown();

/** Options for the browser's WebAuthn, as JSON, and the ticket that goes back with its answer. */
export const passkeyOptionsAnswer = z.object({
  options: browserOptions,
  ticket: z.string(),
});
export type PasskeyOptionsAnswer = z.infer<typeof passkeyOptionsAnswer>;

/** What a log-in with the right password answers beside `second_factor_required`. */
export const secondFactorAsked = z.object({
  ticket: z.string(),
  /** An authenticator app is set up: a code of six digits. */
  has_app: z.boolean(),
  /** There are recovery codes left. */
  has_recovery_codes: z.boolean(),
  /** For `navigator.credentials.get`; null where the account has no passkey, or the address of the site allows none. */
  passkey_options: z.nullable(browserOptions),
});

export const PASSKEY_NAME_MAX_CHARS = 60;
export const PASSKEYS_MAX = 20;
export const RECOVERY_CODES = 10;

export const passkey = z.object({
  id: z.number(),
  name: z.string(),
  created_at: z.string(),
  /** ISO moment; null: never since it was made. */
  last_used_at: z.nullable(z.string()),
  /** Kept by a password manager, so that it outlives the device. */
  is_synced: z.boolean(),
});
export type Passkey = z.infer<typeof passkey>;

/** GET /api/users/second-factor/. */
export const secondFactorState = z.object({
  /** Whether somebody of the person's level needs one. */
  is_required: z.boolean(),
  /** Until when the console stays open without one; null: nothing is owed. */
  due_at: z.nullable(z.string()),
  /** ISO moment since which the authenticator app counts; null: none is set up. */
  app_since: z.nullable(z.string()),
  passkeys: z.array(passkey),
  recovery_codes_left: z.number(),
  /** False where browsers allow no passkeys: the site is opened by an IP address, or without HTTPS. */
  can_use_passkeys: z.boolean(),
});
export type SecondFactorState = z.infer<typeof secondFactorState>;

/** The session's access token anew: its `auth_time` says when. */
export const confirmAnswer = z.object({ access: z.string() });
/** Beside 403 `step_up_required`: the account has second factors, one of which is asked for. */
export const factorNeeded = z.object({ needs_factor: z.literal(true) });
/** POST /api/users/confirm/options/: null where a passkey can't do it. */
export const confirmOptions = z.object({
  passkey: z.nullable(passkeyOptionsAnswer),
  has_app: z.boolean(),
  has_recovery_codes: z.boolean(),
});

/** POST /api/users/second-factor/app/: a new secret, which counts once a code of it was typed. */
export const appSecretAnswer = z.object({
  /** In base32, for apps without a camera. */
  secret: z.string(),
  /** `otpauth://…`, for the QR code. */
  uri: z.string(),
});
/** What changes the factors answers: the state, and recovery codes where new ones were made: they are shown this once. */
export const secondFactorChanged = z.object({
  state: secondFactorState,
  recovery_codes: z.nullable(z.array(z.string())),
});
export type SecondFactorChanged = z.infer<typeof secondFactorChanged>;

/** What the log and the mail to the person call a change of their factors. */
export const FACTOR_CHANGES = [
  "app_added",
  "app_removed",
  "passkey_added",
  "passkey_removed",
  "recovery_codes_made",
  "factors_removed",
] as const;
export type FactorChange = (typeof FACTOR_CHANGES)[number];
