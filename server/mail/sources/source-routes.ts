import type { FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { confirmedRequest, mailSourcesAnswer, returnTestRequest } from "#contract/mail-sources.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage, toOrigin } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { MailSources, SourcesCaller } from "../reports/sources.ts";

/** Whether anybody reports to this site, by which ways, and a mail to try it with. */
export function registerSourceRoutes(
  app: App,
  parts: { sources: MailSources; requireLevel: RequireLevel; publicUrl: string | undefined },
): void {
  const { sources, requireLevel, publicUrl } = parts;
  const about = { tags: ["mail"], security: SIGNED_IN };
  const response = { 200: mailSourcesAnswer };
  const toCaller = (request: FastifyRequest): SourcesCaller => ({
    actor: requireActor(request),
    lang: getApiLanguage(request),
    origin: toOrigin(request, publicUrl),
  });

  app.get(
    "/api/mail/sources/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        ...about,
        summary: "Ways in by which this site hears what became of mails",
        description:
          "Level 999 also sees the link that a provider waits for, and the first unreadable report.",
        response,
      },
    },
    (request) => sources.get(toCaller(request)),
  );

  app.post(
    "/api/mail/sources/test/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        ...about,
        summary: "Send a mail that comes back, to see whether it is reported",
        description:
          "One at a time (409), at most six an hour (429). It changes no figures and stops no mail.",
        body: returnTestRequest,
        response,
      },
    },
    (request) => sources.test(request.body.target, toCaller(request)),
  );

  app.post(
    "/api/mail/sources/confirmed/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.superuser),
      schema: { ...about, summary: "Somebody opened the provider's link", body: confirmedRequest, response },
    },
    (request) => sources.confirm(request.body.name, toCaller(request)),
  );
}
