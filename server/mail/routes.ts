import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { mailHoldAnswer } from "#contract/mail-hold.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { MailAlarms } from "./alarms/alarms.ts";

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
}
