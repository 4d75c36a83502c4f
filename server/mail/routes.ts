import type { FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { mailHoldAnswer } from "#contract/mail/health.ts";
import { TIMELINE_MAX, timelineAnswer, timelineQuery } from "#contract/mail/messages.ts";
import { confirmedRequest, mailSourcesAnswer, returnTestRequest } from "#contract/mail/sources.ts";
import {
  mailDashboardAnswer,
  mailSeriesAnswer,
  mailStatsAnswer,
  statsQuery,
} from "#contract/mail/statistics.ts";
import { resendRequest, triageAnswer } from "#contract/mail/triage.ts";
import { toKindLabel } from "#server/models/declared/mail-message.ts";
import type { Queryable } from "../db/pool.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "../http/bearer.ts";
import { getApiLanguage, toOrigin } from "../http/request.ts";
import { type App, rowParams } from "../http/zod.ts";
import { selectTimeline } from "./address/address-store.ts";
import type { MailAlarms } from "./alarms/alarms.ts";
import type { MailSources, SourcesCaller } from "./reports/sources.ts";
import { toAddressKey } from "./secrets.ts";
import type { MailStatistics } from "./stats.ts";
import type { Resend } from "./triage/resend.ts";

/** Alarms about mail, for level 10 and up. */
export function registerHoldRoutes(
  app: App,
  { alarms, requireLevel }: { alarms: MailAlarms; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin) };
  const about = { tags: ["mail"], security: SIGNED_IN, response: { 200: mailHoldAnswer } };

  app.get(
    "/api/mail/hold/",
    { ...guard, schema: { ...about, summary: "Alarms that nobody released, and the mail that they hold" } },
    () => alarms.getHold(),
  );
  app.post(
    "/api/mail/hold/release/",
    { ...guard, schema: { ...about, summary: "End the alarms and send what they held" } },
    (request) => alarms.release(requireActor(request)),
  );
  app.post(
    "/api/mail/hold/discard/",
    { ...guard, schema: { ...about, summary: "End the alarms and never send what they held" } },
    (request) => alarms.discard(requireActor(request)),
  );
}

/** Whether anybody reports to this site, by which ways, and a mail to try it with. */
export function registerSourceRoutes(
  app: App,
  deps: { sources: MailSources; requireLevel: RequireLevel; publicUrl: string | undefined },
): void {
  const { sources, requireLevel, publicUrl } = deps;
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
        summary: "Ways in by which this site learns what became of mails",
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

/** Figures of mail (specification B, section 7), for level 10 and up. */
export function registerStatsRoutes(
  app: App,
  { statistics, requireLevel }: { statistics: MailStatistics; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin) };
  const about = { tags: ["mail"], security: SIGNED_IN };

  app.get(
    "/api/mail/stats/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "What became of the mails of some days",
        querystring: statsQuery,
        response: { 200: mailStatsAnswer },
      },
    },
    async (request) => ({ success: true, data: await statistics.getStats(request.query.days) }),
  );

  app.get(
    "/api/mail/stats/series/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "The same by day, and by the recipients' domains",
        querystring: statsQuery,
        response: { 200: mailSeriesAnswer },
      },
    },
    (request) => statistics.getSeries(request.query.days),
  );

  app.get(
    "/api/mail/dashboard/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "The latest mails, returns and complaints",
        response: { 200: mailDashboardAnswer },
      },
    },
    (request) => statistics.getDashboard(getApiLanguage(request)),
  );
}

/** Mails that didn't arrive are sent anew, several or one. */
export function registerResendRoutes(
  app: App,
  { resend, requireLevel }: { resend: Resend; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin) };
  const about = { tags: ["mail"], security: SIGNED_IN };
  const response = { 200: triageAnswer };
  const toCaller = (request: FastifyRequest) => ({
    actor: requireActor(request),
    lang: getApiLanguage(request),
  });
  app.post(
    "/api/mail/messages/resend/",
    { ...guard, schema: { ...about, summary: "Send mails again", body: resendRequest, response } },
    (request) => resend.resend(request.body.message_ids, toCaller(request)),
  );
  app.post(
    "/api/mail/messages/:id/resend/",
    { ...guard, schema: { ...about, summary: "Send a mail again", params: rowParams, response } },
    (request) => resend.resend([request.params.id], toCaller(request)),
  );
}

/** What is known of all mails to one address, however it is written. It holds no text of a mail, and so no code. */
export function registerTimelineRoutes(
  app: App,
  deps: { db: Queryable; requireLevel: RequireLevel; addressSecrets: readonly Buffer[]; now: () => Date },
): void {
  const { db, requireLevel, addressSecrets, now } = deps;
  app.get(
    "/api/mail/timeline/",
    {
      onRequest: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["mail"],
        security: SIGNED_IN,
        summary: "What became of the mails to one address",
        description: `The newest ${TIMELINE_MAX} mails. Events that a later reading superseded are left out.`,
        querystring: timelineQuery,
        response: { 200: timelineAnswer },
      },
    },
    async (request) => {
      const lang = getApiLanguage(request);
      const email = toAddressKey(request.query.email);
      const { suppression, mails } = await selectTimeline(db, email, {
        max: TIMELINE_MAX + 1,
        now: now(),
        addressSecrets,
      });
      return {
        email,
        suppression,
        mails: mails
          .slice(0, TIMELINE_MAX)
          .map((mail) => ({ ...mail, kind_label: toKindLabel(mail.kind, lang) })),
        has_more: mails.length > TIMELINE_MAX,
      };
    },
  );
}
