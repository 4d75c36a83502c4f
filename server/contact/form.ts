import { CONTACT_TRAP, type ContactDraft, type ContactValues } from "#contract/contact.ts";
import { AppError, toErrorText, toFieldErrors } from "#server/base/errors.ts";
import type { ContactService, Sender } from "./service.ts";

/** A post of the contact page's form, or of the page that asks for a confirmation. */
export interface FormPost {
  values: ContactValues;
  trap: string;
  challenge: string;
  /** The person wants the form back, with what is in it. */
  isChange: boolean;
}

/** Reads a urlencoded body. A field that is missing or comes twice counts as empty. */
export function readPost(body: unknown): FormPost {
  const fields: Record<string, unknown> = { ...(typeof body === "object" ? body : {}) };
  const read = (name: string) => {
    const value = fields[name];
    return typeof value === "string" ? value : "";
  };
  return {
    values: { name: read("name"), email: read("email"), subject: read("subject"), message: read("message") },
    trap: read(CONTACT_TRAP),
    challenge: read("challenge"),
    isChange: read("action") === "change",
  };
}

/** The page that a post is answered with, whatever comes of it: what was typed stands in it. */
export function toDraft(values: ContactValues, more: Partial<ContactDraft> = {}): ContactDraft {
  return { values, errors: {}, error: null, challenge: null, isSent: false, ...more };
}

/** These leave the challenge as good as it was; after any other refusal the person gets a new one. */
const KEEPS_CHALLENGE: ReadonlySet<string> = new Set(["contact_too_fast", "too_many_messages"]);

function toConfirmDraft(
  contact: ContactService,
  values: ContactValues,
  challenge: string,
  error: AppError,
  { lang }: Sender,
): ContactDraft {
  return toDraft(values, {
    challenge: KEEPS_CHALLENGE.has(error.code) ? challenge : contact.issueConfirmation(),
    error: toErrorText(error.code, lang, error.vars),
  });
}

/** An answer to a post: the page, and the refusal that it tells of. */
export interface FormAnswer {
  draft: ContactDraft;
  refusal?: AppError;
}

/**
 * The way without JavaScript: form → what will be sent, to be confirmed → sent. Every refusal is a page that keeps the text.
 * What isn't a refusal (no database, for example) is thrown.
 */
export async function answerForm(
  contact: ContactService,
  post: FormPost,
  sender: Sender,
): Promise<FormAnswer> {
  if (post.isChange) return { draft: toDraft(post.values) };
  let values: ContactValues;
  try {
    values = contact.check(post.values, post.trap);
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    const errors = Object.fromEntries(
      toFieldErrors(refusal.fields, sender.lang).map(({ field, message }) => [field, message]),
    );
    const error = refusal.fields.length > 0 ? null : toErrorText(refusal.code, sender.lang, refusal.vars);
    return { draft: toDraft(post.values, { errors, error }), refusal };
  }
  if (post.challenge === "") return { draft: toDraft(values, { challenge: contact.issueConfirmation() }) };
  try {
    await contact.store(values, { kind: "confirm", challenge: post.challenge }, sender);
    return { draft: toDraft(values, { isSent: true }) };
  } catch (refusal) {
    if (!(refusal instanceof AppError)) throw refusal;
    return { draft: toConfirmDraft(contact, values, post.challenge, refusal, sender), refusal };
  }
}
