import * as z from "zod/mini";
import { PASSKEY_NAME_MAX_CHARS } from "./second-factor.ts";

/* What the server is sent: apart, so that browsers load no checks of it. */

/** Text that a browser's WebAuthn made; checked field by field where it is verified. */
const base64url = (max: number) => z.string().check(z.regex(/^[\w-]+$/), z.maxLength(max));
const transports = z.array(z.string().check(z.maxLength(32))).check(z.maxLength(10));
const extensionResults = z._default(z.record(z.string().check(z.maxLength(64)), z.unknown()), {});

/** What `navigator.credentials.create` answered, as JSON (WebAuthn Level 3, RegistrationResponseJSON). */
export const passkeyRegistration = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url(4096),
    attestationObject: base64url(16_384),
    transports: z.optional(transports),
    publicKeyAlgorithm: z.optional(z.number()),
    publicKey: z.optional(base64url(8192)),
    authenticatorData: z.optional(base64url(8192)),
  }),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(32)))),
  clientExtensionResults: extensionResults,
});
export type PasskeyRegistration = z.infer<typeof passkeyRegistration>;

/** What `navigator.credentials.get` answered (AuthenticationResponseJSON). */
export const passkeyAssertion = z.object({
  id: base64url(1400),
  rawId: base64url(1400),
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: base64url(4096),
    authenticatorData: base64url(8192),
    signature: base64url(4096),
    userHandle: z.optional(z.nullable(base64url(128))),
  }),
  authenticatorAttachment: z.optional(z.nullable(z.string().check(z.maxLength(32)))),
  clientExtensionResults: extensionResults,
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** A signed text that stands between two calls of one person: who they are, what they do, until when. */
const factorTicket = z.string().check(z.minLength(1), z.maxLength(1024));

/** POST /api/users/login/second-factor/: one of the two. `code` is that of the app, or a recovery code. */
export const secondFactorRequest = z.object({
  ticket: factorTicket,
  code: z.optional(z.string().check(z.maxLength(64))),
  passkey: z.optional(passkeyAssertion),
});
export type SecondFactorRequest = z.infer<typeof secondFactorRequest>;

/** POST /api/users/login/passkey/ */
export const passkeyLoginRequest = z.object({ ticket: factorTicket, passkey: passkeyAssertion });

/**
 * POST /api/users/confirm/: the password, a passkey with its ticket, or a code of the app or for recovery. Good for ten minutes. Where
 * `needs_factor` was answered the password alone won't do.
 */
export const confirmRequest = z.object({
  password: z.optional(z.string().check(z.maxLength(1024))),
  code: z.optional(z.string().check(z.maxLength(64))),
  passkey: z.optional(passkeyAssertion),
  ticket: z.optional(factorTicket),
});
export type ConfirmRequest = z.infer<typeof confirmRequest>;
/** POST /api/users/second-factor/app/confirm/ */
export const appConfirmRequest = z.object({ code: z.string().check(z.maxLength(20)) });

/** POST /api/users/second-factor/passkeys/ */
export const addPasskeyRequest = z.object({
  ticket: factorTicket,
  passkey: passkeyRegistration,
  name: z._default(z.string().check(z.trim(), z.maxLength(PASSKEY_NAME_MAX_CHARS)), ""),
});
