import formbody from "@fastify/formbody";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { ContactDraft } from "#contract/contact.ts";
import type { Language } from "#contract/languages.ts";
import type { PageRequest } from "#contract/page.ts";
import { prepareFailure } from "#server/http/error-handler.ts";
import { type AnswerOnce, PREFIXES } from "#server/http/pages/pages.ts";
import { getPageLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { answerForm, readPost, toDraft } from "./form.ts";
import type { ContactService } from "./service.ts";

/** Far more than the form takes, so that a text that is too long comes back whole with its fault. */
const BODY_MAX_BYTES = 128 * 1024;
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
