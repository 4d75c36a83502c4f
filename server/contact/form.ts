import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Language } from "#contract/languages.ts";
import {
  CONTACT_TRAP,
  CONTACT_TYPED_MAX,
  type ContactDraft,
  type ContactField,
  type ContactValues,
} from "#contract/site/contact.ts";
import type { PageRequest } from "#contract/site/pages.ts";
import { AppError, toErrorText, toFieldErrors } from "#server/base/errors.ts";
import { prepareFailure } from "#server/http/error-handler.ts";
import { type AnswerOnce, PREFIXES } from "#server/http/pages/pages.ts";
import { getPageLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { isRefusal } from "./limits.ts";
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
function readPost(body: unknown): FormPost {
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

/** The page that a post is answered with, whatever comes of it: what was typed stands in it, as far as a message could be. */
function toDraft(typed: ContactValues, more: Partial<ContactDraft> = {}): ContactDraft {
  const cut = (field: ContactField) => typed[field].slice(0, CONTACT_TYPED_MAX[field]).toWellFormed();
  const values = { name: cut("name"), email: cut("email"), subject: cut("subject"), message: cut("message") };
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

/** An answer to a post: the page, and the refusal that it shows. */
export interface FormAnswer {
  draft: ContactDraft;
  refusal?: AppError;
}

/**
 * The way without JavaScript: form → what will be sent, to be confirmed → sent. Every refusal is a page that keeps the text.
 * What isn't a refusal (no database, for example) is thrown.
 */
async function answerForm(contact: ContactService, post: FormPost, sender: Sender): Promise<FormAnswer> {
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

/** Far more than the form takes, so that a text that is too long comes back with its fault. */
const BODY_MAX_BYTES = 64 * 1024;
const NOTHING_TYPED = { name: "", email: "", subject: "", message: "" };

/** `POST /contact` and its two fixed languages: the form of the page, where no script runs. */
export async function registerContactForm(
  app: App,
  { contact, answerOnce }: { contact: ContactService; answerOnce: AnswerOnce },
): Promise<void> {
  /** Whatever happens, there is a page with what was typed. */
  async function takePost(request: FastifyRequest, reply: FastifyReply, lang: Language) {
    const post = readPost(request.body);
    try {
      await contact.refused.requireRoom(request.ip);
      const { draft, refusal } = await answerForm(contact, post, { ipAddress: request.ip, lang });
      if (refusal) prepareFailure(refusal, request, reply, lang);
      return draft;
    } catch (thrown) {
      const { message } = prepareFailure(thrown, request, reply, lang);
      return toDraft(post.values, { error: message, challenge: post.challenge || null });
    }
  }

  function showDraft(
    request: FastifyRequest,
    reply: FastifyReply,
    prefix: PageRequest["prefix"],
    draft: ContactDraft,
  ) {
    return answerOnce(request, reply, {
      path: "/contact",
      prefix,
      status: reply.statusCode,
      load: async () => ({ screen: "contact", draft }),
    });
  }

  await app.register(async (scope) => {
    // Nothing but what a form without a file sends is read here, and nowhere else.
    scope.removeAllContentTypeParsers();
    await scope.register(formbody);
    for (const prefix of PREFIXES) {
      scope.post(`${prefix}/contact`, {
        bodyLimit: BODY_MAX_BYTES,
        schema: { hide: true },
        onResponse: async (request, reply) => {
          if (isRefusal(reply.statusCode)) await contact.refused.add(request.ip);
        },
        async handler(request, reply) {
          const draft = await takePost(request, reply, getPageLanguage(request, prefix));
          return showDraft(request, reply, prefix, draft);
        },
        // A body that can't be read: nothing of it is known, but the answer is a page.
        async errorHandler(thrown, request, reply) {
          const { message } = prepareFailure(thrown, request, reply, getPageLanguage(request, prefix));
          return showDraft(request, reply, prefix, toDraft(NOTHING_TYPED, { error: message }));
        },
      });
    }
  });
}
