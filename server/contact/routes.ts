import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import {
  CONTACT_TRAP,
  CONTACT_TYPED_MAX,
  contactAnswer,
  contactChallenge,
  findFarTooLong,
} from "#contract/site/contact.ts";
import { AppError } from "#server/base/errors.ts";
import { noStore } from "#server/http/caching.ts";
import { prepareFailure } from "#server/http/error-handler.ts";
import type { AnswerOnce } from "#server/http/pages/pages.ts";
import { getApiLanguage, toNamedValues } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { MailService } from "#server/mail/service.ts";
import type { SiteService } from "#server/site/service.ts";
import type { Floor } from "../floor.ts";
import { createChallenges } from "./challenge.ts";
import { registerContactForm } from "./form.ts";
import { isRefusal } from "./limits.ts";
import { type ContactService, createContactService, createFindOwner, type Proof } from "./service.ts";

/** Of a challenge, and of the numbers that solve it. */
const PROOF_MAX_CHARS = 1_000;

/** What is left out counts as empty, so that the fault names the field in its own words. */
const text = (maxChars: number) => z._default(z.nullable(z.string().check(z.maxLength(maxChars))), "");

/**
 * `POST /api/contact/`. `solution` joins the numbers of the puzzles with dots; `website` is the trap. Without `challenge` and
 * `solution` a message is taken at a stricter limit, and stored as unproven.
 */
const contactRequest = z.object({
  name: text(CONTACT_TYPED_MAX.name),
  email: text(CONTACT_TYPED_MAX.email),
  subject: text(CONTACT_TYPED_MAX.subject),
  message: text(CONTACT_TYPED_MAX.message),
  challenge: text(PROOF_MAX_CHARS),
  solution: text(PROOF_MAX_CHARS),
  [CONTACT_TRAP]: text(PROOF_MAX_CHARS),
});

interface ContactDeps {
  mail: Pick<MailService, "queue">;
  site: Pick<SiteService, "getSite">;
  answerOnce: AnswerOnce;
}

/** Messages to the owner, from the page's app and from a form without JavaScript. */
export async function openContact(app: App, floor: Floor, deps: ContactDeps): Promise<void> {
  const { config, ofSecrets, now } = floor;
  const contact = createContactService({
    ...floor,
    mail: deps.mail,
    findOwner: createFindOwner({ ...floor, site: deps.site, ownerEmail: config.ownerEmail }),
    challenges: ofSecrets("contact challenges", (secrets) =>
      createChallenges(secrets, () => now().getTime()),
    ),
  });
  registerContactRoutes(app, contact);
  await registerContactForm(app, { contact, answerOnce: deps.answerOnce });
}

const URL = "/api/contact/";
const tags = ["contact"];

/** The documented answer of a message that wasn't sent, with the error envelope that every failed call has. */
function answerFailure(thrown: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const envelope = prepareFailure(thrown, request, reply);
  const details = envelope.errors.map(({ message }) => message).join(". ") || null;
  reply
    .type("application/json; charset=utf-8")
    .send(JSON.stringify({ ...envelope, success: false, details }));
}

/** Another client of the documented call knows of no challenge, and sends neither part of a proof. */
function toProof(challenge: string, solution: string): Proof {
  return challenge === "" && solution === "" ? { kind: "none" } : { kind: "work", challenge, solution };
}

/** `GET /api/contact/challenge/` and `POST /api/contact/` (specification A section 7). */
function registerContactRoutes(app: App, contact: ContactService): void {
  app.get(
    `${URL}challenge/`,
    {
      onRequest: noStore,
      schema: { tags, summary: "Work for one message", response: { 200: contactChallenge } },
    },
    () => contact.getWork(),
  );

  app.post(
    URL,
    {
      onRequest: [noStore, async (request) => contact.refused.requireRoom(request.ip)],
      // Before the schema, in the words of the page.
      async preValidation(request) {
        const fields = findFarTooLong(toNamedValues(request.body));
        if (fields.length > 0) throw new AppError("validation_failed", { fields });
      },
      errorHandler: answerFailure,
      onResponse: async (request, reply) => {
        if (isRefusal(reply.statusCode)) await contact.refused.add(request.ip);
      },
      schema: {
        tags,
        summary: "Send a message to the owner of the site",
        description:
          "With a solved challenge five messages in ten minutes. Without `challenge` and `solution` a message counts as unproven: one in ten minutes from an address, twenty an hour in all.",
        body: contactRequest,
        response: { 200: contactAnswer },
      },
    },
    async (request) => {
      const { name, email, subject, message, challenge, solution, [CONTACT_TRAP]: trap } = request.body;
      const typed = { name: name ?? "", email: email ?? "", subject: subject ?? "", message: message ?? "" };
      const values = contact.check(typed, trap ?? "");
      const proof = toProof(challenge ?? "", solution ?? "");
      await contact.store(values, proof, { ipAddress: request.ip, lang: getApiLanguage(request) });
      return { success: true, error: null, details: null };
    },
  );
}
