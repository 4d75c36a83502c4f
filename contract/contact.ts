/** Fields of the contact form, in their order (specification A section 2.5). */
export const CONTACT_FIELDS = ["name", "email", "subject", "message"] as const;
export type ContactField = (typeof CONTACT_FIELDS)[number];
export type ContactValues = Record<ContactField, string>;

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
