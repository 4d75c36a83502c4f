import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import { resendRequest } from "#contract/mail-resend.ts";
import { triageAnswer } from "#contract/mail-triage.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { Resend } from "./resend.ts";

const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)) });

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
    { ...guard, schema: { ...about, summary: "Send a mail again", params, response } },
    (request) => resend.resend([request.params.id], toCaller(request)),
  );
}
