import type { BaseRecord } from "@refinedev/core";
import * as z from "zod/mini";
import {
  bounce,
  bouncesAnswer,
  complaint,
  complaintsAnswer,
  recentBounces,
  recentComplaints,
} from "#contract/mail-lists.ts";
import type { Endpoint, Rows } from "./endpoint.ts";
import type { OwnFilter } from "./own-query.ts";

const MAIL_API = "/api/mail";
const DASHBOARD = `${MAIL_API}/dashboard/`;

/** What people call a row: whose address it is about. */
const withName = <Row extends { email_address: string }>(row: Row) => ({ ...row, repr: row.email_address });

function toRows(answer: {
  results: BaseRecord[];
  total: number;
  summary?: Rows["summary"] | undefined;
}): Rows {
  const { results, total, summary } = answer;
  return { data: results, total, isEstimate: false, ...(summary && { summary }) };
}

/** The documented answers of this service stand in `data` of an envelope, or alone. */
function unwrap(answer: unknown): unknown {
  const { data } = z.object({ data: z.looseObject({}) }).safeParse(answer);
  return data ? data.data : answer;
}

const STATUS: OwnFilter = {
  name: "status",
  values: { true: "processed", false: "unprocessed" },
  all: "all",
};
/** An owner is read as a person and written as a number. */
function toBody({ owner, ...values }: Readonly<Record<string, unknown>>) {
  return { ...values, ...(owner !== undefined && { owner_id: owner }) };
}

const daysOf = (moment: string): OwnFilter => ({ name: "date_range", all: "all", daysOf: moment });

/** Returned mail (specification B section 7). */
export const BOUNCES: Endpoint = {
  list: `${MAIL_API}/bounces/`,
  one: `${MAIL_API}/bounces/`,
  updateMethod: "PATCH",
  toBody,
  query: {
    pageSize: "per_page",
    filters: {
      is_processed: STATUS,
      bounce_type: { name: "type" },
      date_range: daysOf("bounced_at"),
    },
  },
  readList(answer) {
    const { results, ...page } = bouncesAnswer.parse(answer);
    return toRows({ ...page, results: results.map(withName) });
  },
  readOne: (answer) => withName(bounce.parse(unwrap(answer))),
  fallback: {
    path: DASHBOARD,
    pick: (answer) =>
      recentBounces
        .parse(unwrap(answer))
        .recent_activity.bounces.map(({ email, type, subtype, ...row }) =>
          withName({ ...row, email_address: email, bounce_type: type, bounce_subtype: subtype }),
        ),
  },
};

/** Complaints about mail (specification B section 7). */
export const COMPLAINTS: Endpoint = {
  list: `${MAIL_API}/complaints/`,
  one: `${MAIL_API}/complaints/`,
  updateMethod: "PATCH",
  toBody,
  query: {
    pageSize: "per_page",
    filters: {
      is_processed: STATUS,
      feedback_type: { name: "feedback_type" },
      date_range: daysOf("complained_at"),
    },
  },
  readList(answer) {
    const { results, ...page } = complaintsAnswer.parse(answer);
    return toRows({ ...page, results: results.map(withName) });
  },
  readOne: (answer) => withName(complaint.parse(unwrap(answer))),
  fallback: {
    path: DASHBOARD,
    pick: (answer) =>
      recentComplaints
        .parse(unwrap(answer))
        .recent_activity.complaints.map(({ email, type, ...row }) =>
          withName({ ...row, email_address: email, feedback_type: type }),
        ),
  },
};
