import type { FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import {
  importRequest,
  liftRequest,
  suppressionsAnswer,
  suppressRequest,
  undoRequest,
} from "#contract/mail-suppressions.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { SuppressionCalls } from "./suppression-calls.ts";

/** Five thousand addresses of the length that people have. */
const BODY_MAX_BYTES = 512 * 1024;

/** The list of suppressed addresses is read through its content model; it is changed here alone, each time with a reason. */
export function registerSuppressionRoutes(
  app: App,
  { calls, requireLevel }: { calls: SuppressionCalls; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin), bodyLimit: BODY_MAX_BYTES };
  const about = { tags: ["mail"], security: SIGNED_IN };
  const response = { 200: suppressionsAnswer };
  const toCaller = (request: FastifyRequest) => ({
    actor: requireActor(request),
    lang: getApiLanguage(request),
  });

  app.post(
    "/api/mail/suppressions/",
    { ...guard, schema: { ...about, summary: "Stop mails to addresses", body: suppressRequest, response } },
    (request) => calls.add(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/import/",
    {
      ...guard,
      schema: { ...about, summary: "Stop mails to the addresses of a file", body: importRequest, response },
    },
    (request) => calls.addText(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/lift/",
    { ...guard, schema: { ...about, summary: "Let addresses get mail again", body: liftRequest, response } },
    (request) => calls.lift(request.body, toCaller(request)),
  );
  app.post(
    "/api/mail/suppressions/undo/",
    { ...guard, schema: { ...about, summary: "Undo such a call", body: undoRequest, response } },
    (request) => calls.undo(request.body.batch_id, toCaller(request)),
  );
}
