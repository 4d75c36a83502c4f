import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/access-levels.ts";
import {
  bounce,
  bouncesAnswer,
  bouncesBatch,
  bouncesQuery,
  complaint,
  complaintsAnswer,
  complaintsBatch,
  complaintsQuery,
  triageAnswer,
  triageChange,
  triageUndo,
} from "#contract/mail-triage.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request-language.ts";
import type { App } from "#server/http/zod-compiler.ts";
import type { Triage, TriageCaller } from "./triage.ts";

const params = z.object({ id: z.coerce.number().check(z.int(), z.minimum(1), z.maximum(2_147_483_647)) });

function toTriageCaller(request: FastifyRequest): TriageCaller {
  return { actor: requireActor(request), lang: getApiLanguage(request) };
}

/** Bounces and complaints as specification B, section 7 documents them, for level 10 and up. */
export function registerTriageRoutes(
  app: App,
  { triage, requireLevel }: { triage: Triage; requireLevel: RequireLevel },
): void {
  const guard = { onRequest: requireLevel(ACCESS_LEVEL.admin) };
  const about = { tags: ["mail"], security: SIGNED_IN };
  const changed = { 200: triageAnswer };

  app.get(
    "/api/mail/bounces/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Mails that came back",
        description:
          "Without `status` all but those that staff unsubscribed. `date_range` is days, today's UTC day included.",
        querystring: bouncesQuery,
        response: { 200: bouncesAnswer },
      },
    },
    (request) => triage.listBounces(request.query),
  );

  app.get(
    "/api/mail/complaints/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Mails that somebody complained of",
        querystring: complaintsQuery,
        response: { 200: complaintsAnswer },
      },
    },
    (request) => triage.listComplaints(request.query),
  );

  app.get(
    "/api/mail/bounces/:id/",
    { ...guard, schema: { ...about, summary: "One returned mail", params, response: { 200: bounce } } },
    (request) => triage.getBounce(request.params.id),
  );

  app.get(
    "/api/mail/complaints/:id/",
    { ...guard, schema: { ...about, summary: "One complaint", params, response: { 200: complaint } } },
    (request) => triage.getComplaint(request.params.id),
  );

  app.patch(
    "/api/mail/bounces/:id/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Note and owner of a returned mail",
        params,
        body: triageChange,
        response: { 200: bounce },
      },
    },
    async (request) => {
      await triage.change("mail_bounce", request.params.id, request.body, toTriageCaller(request));
      return triage.getBounce(request.params.id);
    },
  );

  app.patch(
    "/api/mail/complaints/:id/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Note and owner of a complaint",
        params,
        body: triageChange,
        response: { 200: complaint },
      },
    },
    async (request) => {
      await triage.change("mail_complaint", request.params.id, request.body, toTriageCaller(request));
      return triage.getComplaint(request.params.id);
    },
  );

  for (const [plural, table, name] of [
    ["bounces", "mail_bounce", "returned mail"],
    ["complaints", "mail_complaint", "complaint"],
  ] as const) {
    app.post(
      `/api/mail/${plural}/:id/mark_processed/`,
      { ...guard, schema: { ...about, summary: `Mark a ${name} as processed`, params, response: changed } },
      (request) => triage.process(table, [request.params.id], toTriageCaller(request)),
    );
    app.post(
      `/api/mail/${plural}/:id/unsubscribe/`,
      {
        ...guard,
        schema: {
          ...about,
          summary: `Stop every mail to the address of a ${name}`,
          params,
          response: changed,
        },
      },
      (request) => triage.unsubscribe(table, [request.params.id], toTriageCaller(request)),
    );
  }

  app.post(
    "/api/mail/bounces/batch_process/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Mark returned mails as processed",
        body: bouncesBatch,
        response: changed,
      },
    },
    (request) => triage.process("mail_bounce", request.body.bounce_ids, toTriageCaller(request)),
  );

  app.post(
    "/api/mail/bounces/batch_unsubscribe/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Stop every mail to the addresses of returned mails",
        body: bouncesBatch,
        response: changed,
      },
    },
    (request) => triage.unsubscribe("mail_bounce", request.body.bounce_ids, toTriageCaller(request)),
  );

  app.post(
    "/api/mail/complaints/batch_process/",
    {
      ...guard,
      schema: { ...about, summary: "Mark complaints as processed", body: complaintsBatch, response: changed },
    },
    (request) => triage.process("mail_complaint", request.body.complaint_ids, toTriageCaller(request)),
  );

  app.post(
    "/api/mail/complaints/batch_unsubscribe/",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Stop every mail to the addresses of complaints",
        body: complaintsBatch,
        response: changed,
      },
    },
    (request) => triage.unsubscribe("mail_complaint", request.body.complaint_ids, toTriageCaller(request)),
  );

  app.post(
    "/api/mail/triage/undo/",
    { ...guard, schema: { ...about, summary: "Undo such a call", body: triageUndo, response: changed } },
    (request) => triage.undo(request.body.batch_id, toTriageCaller(request)),
  );
}
