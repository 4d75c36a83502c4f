import type { FastifyReply, FastifyRequest } from "fastify";
import type pg from "pg";
import * as z from "zod/mini";
import type { Language } from "#contract/languages.ts";
import type { PageRequest, UnsubscribeState } from "#contract/site/pages.ts";
import { withTransaction } from "../../db/transaction.ts";
import { noStore } from "../../http/caching.ts";
import { type AnswerOnce, PREFIXES } from "../../http/pages/pages.ts";
import { getPageLanguage } from "../../http/request.ts";
import type { App } from "../../http/zod.ts";
import { fill, MAIL_TEXTS } from "../content.ts";
import { maskAddress } from "../secrets.ts";
import { insertUnsubscribed, selectRecipient } from "./suppression-store.ts";
import { type Suppressions, toStopReason, toSystemAuthor } from "./suppressions.ts";

/** Whom a link that stops mails belongs to, as far as its page says so. */
interface StopTarget {
  /** Masked: links are passed on. */
  address: string;
  language: Language;
}

interface Unsubscribe {
  /** Changes nothing: programs open links. Undefined for a token of no message. */
  find(token: string): Promise<StopTarget | undefined>;
  /** Stops optional mails to the message's address, for good; once more changes nothing. Undefined as above. */
  stop(token: string, from: { ipAddress: string; requestId: string }): Promise<StopTarget | undefined>;
}

function toTarget(found: { recipient: string; language: Language } | undefined): StopTarget | undefined {
  return found && { address: maskAddress(found.recipient), language: found.language };
}

/** What is behind the link and the header that stop mails (RFC 8058). */
export function createUnsubscribe(deps: {
  pool: pg.Pool;
  suppressions: Pick<Suppressions, "suppress">;
  now: () => Date;
}): Unsubscribe {
  const { pool, suppressions, now } = deps;
  return {
    find: async (token) => toTarget(await selectRecipient(pool, token)),

    stop: (token, from) =>
      withTransaction(pool, async (db) => {
        const found = await selectRecipient(db, token);
        if (!found) return undefined;
        const wanted = {
          address: found.recipient,
          scope: "optional",
          source: "unsubscribe",
          reason: toStopReason("link"),
          sourceEventId: await insertUnsubscribed(db, token, now()),
          expiresAt: null,
        } as const;
        // Nobody is signed in: whoever has the mail has its link.
        await suppressions.suppress(db, wanted, toSystemAuthor("unsubscribe", from));
        return toTarget(found);
      }),
  };
}

const BODY_MAX_BYTES = 8 * 1024;
const FORM_TYPES = ["application/x-www-form-urlencoded", "multipart/form-data"];

const params = z.object({ token: z.string() });
type Request = FastifyRequest<{ Params: z.infer<typeof params> }>;

const toPath = (token: string) => `/api/mail/unsubscribe/${encodeURIComponent(token)}/`;

/** A form's fields. The platform reads both kinds; what it can't read has none. */
async function readForm(request: FastifyRequest): Promise<Map<string, string>> {
  const body = request.body instanceof Buffer ? new Uint8Array(request.body) : "";
  const headers = { "content-type": request.headers["content-type"] ?? "" };
  const form = await new Response(body, { headers }).formData().catch(() => new FormData());
  return new Map([...form].map(([name, value]) => [name, String(value)]));
}

/**
 * The two endpoints of a mail's "stop" link. A mail client posts `List-Unsubscribe=One-Click` without anybody looking (RFC
 * 8058): no cookie, no redirect, a line of text. A person opens the page and presses its button, with or without JavaScript.
 */
export async function registerUnsubscribe(
  app: App,
  deps: { unsubscribe: Unsubscribe; answerOnce: AnswerOnce },
): Promise<void> {
  const { unsubscribe, answerOnce } = deps;

  function showPage(
    request: Request,
    reply: FastifyReply,
    page: { prefix: PageRequest["prefix"]; status: number; target: StopTarget | undefined },
    state: UnsubscribeState,
  ) {
    const { prefix, status, target } = page;
    return answerOnce(request, reply, {
      path: toPath(request.params.token),
      prefix,
      status,
      // The mail was in a language that its reader reads; a choice made on this page wins.
      ...(prefix === "" && target && { lang: target.language }),
      load: async () => ({ screen: "unsubscribe", unsubscribe: state }),
    });
  }

  function ask(
    request: Request,
    reply: FastifyReply,
    page: { prefix: PageRequest["prefix"]; target: StopTarget | undefined; status: number },
  ) {
    const { token } = request.params;
    if (!page.target) return showPage(request, reply, { ...page, status: 404 }, { step: "unknown" });
    return showPage(request, reply, page, { step: "ask", token, address: page.target.address });
  }

  async function takePost(request: Request, reply: FastifyReply, prefix: PageRequest["prefix"]) {
    const { token } = request.params;
    const form = await readForm(request);
    const isOneClick = form.get("List-Unsubscribe") === "One-Click";
    if (!isOneClick && form.get("confirm") !== "yes") {
      return ask(request, reply, { prefix, target: await unsubscribe.find(token), status: 400 });
    }
    const target = await unsubscribe.stop(token, { ipAddress: request.ip, requestId: request.id });
    if (isOneClick) {
      const texts = MAIL_TEXTS[target?.language ?? getPageLanguage(request, prefix)].stop;
      const text = target ? fill(texts.done, { address: target.address }) : texts.unknown;
      return reply
        .code(target ? 200 : 404)
        .type("text/plain; charset=utf-8")
        .send(`${text}\n`);
    }
    if (!target) return ask(request, reply, { prefix, target, status: 404 });
    return showPage(
      request,
      reply,
      { prefix, target, status: 200 },
      { step: "done", address: target.address },
    );
  }

  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(FORM_TYPES, { parseAs: "buffer" }, (_request, body, done) => done(null, body));
    for (const prefix of PREFIXES) {
      const url = `${prefix}/api/mail/unsubscribe/:token/`;
      // The same under each language; the description of the API names the one that mails carry.
      const about = { tags: ["mail"], hide: prefix !== "", params };
      const page = { ...about, summary: "The page behind a mail's stop link" };
      const stop = { ...about, summary: "Stop mails like this one (RFC 8058)" };
      scope.get(url, { onRequest: noStore, schema: page }, async (request: Request, reply) =>
        ask(request, reply, { prefix, target: await unsubscribe.find(request.params.token), status: 200 }),
      );
      scope.post(
        url,
        { onRequest: noStore, bodyLimit: BODY_MAX_BYTES, schema: stop },
        (request: Request, reply) => takePost(request, reply, prefix),
      );
    }
  });
}
