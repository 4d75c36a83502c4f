import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { TIMELINE_MAX, timelineAnswer, timelineQuery } from "#contract/mail-timeline.ts";
import type { Queryable } from "#server/db/pool.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { toAddressKey } from "../address-key.ts";
import { toKindLabel } from "../kinds.ts";
import { selectTimeline } from "./timeline-store.ts";

/** What is known of all mails to one address, however it is written. It holds no text of a mail, and so no code. */
export function registerTimelineRoutes(
  app: App,
  parts: { db: Queryable; requireLevel: RequireLevel; addressSecrets: readonly Buffer[]; now: () => Date },
): void {
  const { db, requireLevel, addressSecrets, now } = parts;
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
