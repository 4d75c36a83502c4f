import type { FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
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
} from "#contract/mail/triage.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { getApiLanguage } from "#server/http/request.ts";
import { type App, rowParams } from "#server/http/zod.ts";
import type { Triage, TriageCaller } from "./triage.ts";

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
    (request) => triage.listBounces(request.query, getApiLanguage(request)),
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
    (request) => triage.listComplaints(request.query, getApiLanguage(request)),
  );

  for (const { plural, table, name, row, get } of [
    { plural: "bounces", table: "mail_bounce", name: "returned mail", row: bounce, get: triage.getBounce },
    {
      plural: "complaints",
      table: "mail_complaint",
      name: "complaint",
      row: complaint,
      get: triage.getComplaint,
    },
  ] as const) {
    app.get(
      `/api/mail/${plural}/:id/`,
      { ...guard, schema: { ...about, summary: `One ${name}`, params: rowParams, response: { 200: row } } },
      (request) => get(request.params.id, getApiLanguage(request)),
    );
    app.patch(
      `/api/mail/${plural}/:id/`,
      {
        ...guard,
        schema: {
          ...about,
          summary: `Note and owner of a ${name}`,
          params: rowParams,
          body: triageChange,
          response: { 200: row },
        },
      },
      async (request) => {
        const caller = toTriageCaller(request);
        await triage.change(table, request.params.id, request.body, caller);
        return get(request.params.id, caller.lang);
      },
    );
    app.post(
      `/api/mail/${plural}/:id/mark_processed/`,
      {
        ...guard,
        schema: { ...about, summary: `Mark a ${name} as processed`, params: rowParams, response: changed },
      },
      (request) => triage.process(table, [request.params.id], toTriageCaller(request)),
    );
    app.post(
      `/api/mail/${plural}/:id/unsubscribe/`,
      {
        ...guard,
        schema: {
          ...about,
          summary: `Stop every mail to the address of a ${name}`,
          params: rowParams,
          response: changed,
        },
      },
      (request) => triage.unsubscribe(table, [request.params.id], toTriageCaller(request)),
    );
  }

  // The preview has an address of its own: a back end that doesn't know it must not take it for the call itself.
  for (const [step, isPreview] of [
    ["", false],
    ["preview/", true],
  ] as const) {
    const of = (what: string) => (isPreview ? `What would become of each row: ${what.toLowerCase()}` : what);
    const toCaller = (request: FastifyRequest) => ({ ...toTriageCaller(request), isPreview });
    for (const [call, verb, summaries] of [
      ["batch_process", "process", ["Mark returned mails as processed", "Mark complaints as processed"]],
      [
        "batch_unsubscribe",
        "unsubscribe",
        [
          "Stop every mail to the addresses of returned mails",
          "Stop every mail to the addresses of complaints",
        ],
      ],
    ] as const) {
      const [ofBounces, ofComplaints] = summaries;
      app.post(
        `/api/mail/bounces/${call}/${step}`,
        { ...guard, schema: { ...about, summary: of(ofBounces), body: bouncesBatch, response: changed } },
        (request) => triage[verb]("mail_bounce", request.body.bounce_ids, toCaller(request)),
      );
      app.post(
        `/api/mail/complaints/${call}/${step}`,
        {
          ...guard,
          schema: { ...about, summary: of(ofComplaints), body: complaintsBatch, response: changed },
        },
        (request) => triage[verb]("mail_complaint", request.body.complaint_ids, toCaller(request)),
      );
    }
  }

  app.post(
    "/api/mail/triage/undo/",
    { ...guard, schema: { ...about, summary: "Undo such a call", body: triageUndo, response: changed } },
    (request) => triage.undo(request.body.batch_id, toTriageCaller(request)),
  );
}
