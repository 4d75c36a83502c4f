import type { BaseRecord } from "@refinedev/core";
import * as z from "zod/mini";
import {
  bounce,
  bouncesAnswer,
  complaint,
  complaintsAnswer,
  recentBounces,
  recentComplaints,
} from "#contract/mail/lists.ts";
import type { Endpoint, Rows } from "./endpoint.ts";
import type { OwnFilter } from "./list-query.ts";

const MAIL_API = "/api/mail";
const DASHBOARD = `${MAIL_API}/dashboard/`;

interface Addressed extends BaseRecord {
  email_address: string;
}

interface Page {
  results: Addressed[];
  total: number;
  summary?: Rows["summary"] | undefined;
}

interface Parser<Answer> {
  parse: (answer: unknown) => Answer;
}

/** What people call a row: whose address it is about. */
const withName = <Row extends Addressed>(row: Row) => ({ ...row, repr: row.email_address });

/** The documented answers of this service stand in `data` of an envelope, or alone. */
function unwrap(answer: unknown): unknown {
  const { data } = z.object({ data: z.looseObject({}) }).safeParse(answer);
  return data ? data.data : answer;
}

/** Back ends call the states of a row so; `current` is what they list when nobody says which. */
const STATUS: OwnFilter = {
  name: "status",
  values: { current: null },
  all: "all",
  matches(row, value) {
    if (value === "unprocessed") return row.is_processed === false;
    if (value === "processed") return row.is_processed === true;
    // Another answer doesn't say who was unsubscribed.
    return value === "current";
  },
};

/** The same by the name of the model's field, as links from elsewhere may ask. */
const PROCESSED: OwnFilter = { name: "status", values: { true: "processed", false: "unprocessed" } };

/** An owner is read as a person and written as a number. */
function toBody({ owner, ...values }: Readonly<Record<string, unknown>>) {
  return { ...values, ...(owner !== undefined && { owner_id: owner }) };
}

/** A list of rows to sort out, as specification B section 7 documents both of them. */
function buildTriageEndpoint(deps: {
  name: string;
  /** Field of the rows' type, and its parameter in the query. */
  type: { field: string; parameter: string };
  /** Field of the moment that date ranges are of. */
  moment: string;
  page: Parser<Page>;
  row: Parser<Addressed>;
  pick: NonNullable<Endpoint["fallback"]>["pick"];
}): Endpoint {
  const { name, type, moment, page, row, pick } = deps;
  const path = `${MAIL_API}/${name}/`;
  return {
    list: path,
    one: path,
    updateMethod: "PATCH",
    toBody,
    query: {
      pageSize: "per_page",
      search: { name: "search", field: "email_address" },
      filters: {
        status: STATUS,
        is_processed: PROCESSED,
        [type.field]: { name: type.parameter },
        date_range: { name: "date_range", all: "all", daysOf: moment },
      },
    },
    readList(answer) {
      const { results, total, summary } = page.parse(answer);
      return { data: results.map(withName), total, isEstimate: false, ...(summary && { summary }) };
    },
    readOne: (answer) => withName(row.parse(unwrap(answer))),
    fallback: { path: DASHBOARD, pick },
  };
}

export const BOUNCES = buildTriageEndpoint({
  name: "bounces",
  type: { field: "bounce_type", parameter: "type" },
  moment: "bounced_at",
  page: bouncesAnswer,
  row: bounce,
  pick: (answer) =>
    recentBounces
      .parse(unwrap(answer))
      .recent_activity.bounces.map(({ email, type, subtype, ...rest }) =>
        withName({ ...rest, email_address: email, bounce_type: type, bounce_subtype: subtype }),
      ),
});

export const COMPLAINTS = buildTriageEndpoint({
  name: "complaints",
  type: { field: "feedback_type", parameter: "feedback_type" },
  moment: "complained_at",
  page: complaintsAnswer,
  row: complaint,
  pick: (answer) =>
    recentComplaints
      .parse(unwrap(answer))
      .recent_activity.complaints.map(({ email, type, ...rest }) =>
        withName({ ...rest, email_address: email, feedback_type: type }),
      ),
});
