import * as z from "zod/mini";
import { emailText, loginAnswer, passwordText, ticketText, usernameText } from "./accounts.ts";

/** The secret of an invitation, as it stands at the end of its link. */
const invitationText = z.string().check(z.minLength(1), z.maxLength(100));

/** POST /api/users/invitation/: whether a link is still good, for the page that it leads to. */
export const invitationRequest = z.object({ invitation: invitationText });
export const invitationState = z.object({ is_good: z.boolean() });

/**
 * POST /api/users/register/. An unproven registration with this `ticket` makes room. One of at least 32 characters is the new
 * registration's too, so that sending again after a lost answer is no second one; else the server makes one.
 */
export const registerRequest = z.object({
  username: usernameText,
  email: emailText,
  password: passwordText,
  password_confirm: passwordText,
  ticket: z.optional(ticketText),
  /** The end of an invitation's link; it lets in where registration is by invitation, and gives its level. */
  invitation: z.optional(invitationText),
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

/**
 * POST /api/users/request-verification/ and /api/users/password/forgot/. The answer never shows whether there is an account. A `ticket`
 * of at least 32 characters is the browser's own; else the server makes one.
 */
export const codeRequest = z.object({ email: emailText, ticket: z.optional(ticketText) });
export type CodeRequest = z.infer<typeof codeRequest>;

export const codeSentAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Goes with the code: tries that come with it are its own, so that nobody else uses them up. Not every back end has them. */
  ticket: z.optional(z.string()),
  /** Seconds until another code may be asked for. */
  retry_after: z.number(),
});
export type CodeSentAnswer = z.infer<typeof codeSentAnswer>;

/**
 * What shows that a mail was read: the six digits, with the ticket of the browser that asked where it has one, or the `proof` in the
 * mail's link, which is good in any browser and needs no digits.
 */
const otpText = z._default(z.string().check(z.maxLength(20)), "");
const proofText = z.optional(z.string().check(z.maxLength(200)));

/** POST /api/users/verify-email/. `otp_code` is checked by the service, which has the documented texts. */
export const verifyEmailRequest = z.object({
  email: emailText,
  otp_code: otpText,
  ticket: z.optional(ticketText),
  proof: proofText,
});
export type VerifyEmailRequest = z.infer<typeof verifyEmailRequest>;

/**
 * `session` is there for the browser that registered, which is signed in by it. `is_waiting`: staff decide first whether the account
 * may log in.
 */
export const verifyEmailAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  /** Of the account whose address was proven: who typed the code elsewhere may have been thinking of another one. */
  username: z.string(),
  session: z.nullable(loginAnswer),
  is_waiting: z._default(z.boolean(), false),
  /**
   * The code came from a browser that neither registered nor was signed in: the registration's password is worth nothing any more.
   * A new one is set with these at password/reset, or after a mail.
   */
  reset: z._default(z.nullable(z.object({ email: z.string(), proof: z.string() })), null),
});
export type VerifyEmailAnswer = z.infer<typeof verifyEmailAnswer>;

/** POST /api/users/password/reset/. Ends all sessions and opens one here. */
export const resetPasswordRequest = z.object({
  email: emailText,
  otp_code: otpText,
  ticket: z.optional(ticketText),
  proof: proofText,
  password: passwordText,
  password_confirm: passwordText,
});
export type ResetPasswordRequest = z.infer<typeof resetPasswordRequest>;

export const resetPasswordAnswer = z.object({
  success: z.literal(true),
  message: z.string(),
  session: loginAnswer,
});

/** GET /api/users/setup/: whether nobody owns the site yet. POST makes the owner and signs in (`loginAnswer`). */
export const setupState = z.object({ is_open: z.boolean() });

export const setupRequest = z.object({
  token: z.string().check(z.maxLength(200)),
  username: usernameText,
  email: emailText,
  password: passwordText,
  password_confirm: passwordText,
});
export type SetupRequest = z.infer<typeof setupRequest>;
