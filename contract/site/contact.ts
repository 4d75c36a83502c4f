import * as z from "zod/mini";

/** Fields of the contact form, in their order (specification A section 2.5). */
export const CONTACT_FIELDS = ["name", "email", "subject", "message"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactValues = Record<ContactField, string>;

/** A field that people don't see: whoever fills it in is a program. */
export const CONTACT_TRAP = "website";

/** `GET /api/contact/challenge/`: what a browser works off while somebody writes. It is good for one message. */
export const contactChallenge = z.object({
  challenge: z.string(),
  /** So many puzzles, each to find a number n with SHA-256 of `challenge.index.n` beginning with so many zero bits. */
  puzzles: z.number(),
  zero_bits: z.number(),
  /** A message is refused before this time has passed, and after that one. */
  wait_ms: z.number(),
  lifetime_ms: z.number(),
});
export type ContactChallenge = z.infer<typeof contactChallenge>;

/** What is left out counts as empty, so that the fault names the field in its own words. */
const text = z._default(z.nullable(z.string()), "");

/**
 * `POST /api/contact/`. `solution` joins the numbers of the puzzles with dots; `website` is the trap. Without `challenge` and
 * `solution` a message is taken at a stricter limit, and stored as unproven.
 */
export const contactRequest = z.object({
  name: text,
  email: text,
  subject: text,
  message: text,
  challenge: text,
  solution: text,
  [CONTACT_TRAP]: text,
});

/** Answer of `POST /api/contact/` (specification A section 7). A failed call answers it together with the error envelope. */
export const contactAnswer = z.object({
  success: z.boolean(),
  error: z.optional(z.nullable(z.string())),
  details: z.optional(z.nullable(z.string())),
});
export type ContactAnswer = z.infer<typeof contactAnswer>;

/** The contact form as a post without JavaScript left it: what was typed, what is wrong with it, and what comes next. */
export interface ContactDraft {
  values: ContactValues;
  /** Messages by field, in the language of the page. */
  errors: Partial<ContactValues>;
  /** Why the whole message was refused. */
  error: string | null;
  /** Signed; sent back with the confirmation. Null where there is nothing to confirm. */
  challenge: string | null;
  isSent: boolean;
}
