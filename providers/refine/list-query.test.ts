/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import { createHttp } from "../http/http.ts";
import { createDataProvider, toCrudFilter } from "./data.ts";

interface Answer {
  status?: number;
  body: unknown;
}

/** A provider over a server that answers by path, and the addresses that it was asked for. */
function createFakeServer(answers: Readonly<Record<string, Answer>>) {
  const calls: URL[] = [];
  const bodies: unknown[] = [];
  const http = createHttp({
    baseUrl: "https://x.test",
    getLanguage: () => "en",
    fetch: async (address, init) => {
      const url = new URL(String(address));
      calls.push(url);
      if (init?.body !== undefined) bodies.push(JSON.parse(String(init.body)));
      const { status = 200, body } = answers[url.pathname] ?? { status: 404, body: { message: "Not found" } };
      return new Response(JSON.stringify(body), { status });
    },
  });
  const provider = createDataProvider(http);
  const list = (resource: string, filters: Readonly<Record<string, string>> = {}) =>
    provider.getList({
      resource,
      pagination: { currentPage: 2, pageSize: 20 },
      filters: Object.entries(filters).map(([field, value]) =>
        toCrudFilter({ field, operator: "exact", value }),
      ),
    });
  return { calls, bodies, provider, list };
}

const BOUNCE = {
  id: 4,
  email_address: "ada@example.org",
  bounce_type: "Permanent",
  bounced_at: "2026-11-20T10:00:00.000Z",
  is_processed: false,
};
const PAGE = { total: 41, page: 2, pages: 3 };

describe("an endpoint with a query of its own", () => {
  test("is asked by its own names, and what is not filtered is told apart from what is not said", async () => {
    const { calls, list } = createFakeServer({
      "/api/mail/bounces/": { body: { results: [], ...PAGE } },
      "/api/mail/complaints/": { body: { results: [], ...PAGE } },
    });
    await list("email-bounces", { status: "unprocessed", bounce_type: "Permanent", date_range: "30" });
    await list("email-bounces");
    await list("email-bounces", { status: "current", date_range: "30" });
    await list("email-complaints", { is_processed: "true", feedback_type: "abuse", date_range: "7" });
    expect(calls.map(({ pathname, search }) => pathname + search)).toEqual([
      "/api/mail/bounces/?status=unprocessed&type=Permanent&date_range=30&page=2&per_page=20",
      "/api/mail/bounces/?status=all&date_range=all&page=2&per_page=20",
      "/api/mail/bounces/?date_range=30&page=2&per_page=20",
      "/api/mail/complaints/?status=processed&feedback_type=abuse&date_range=7&page=2&per_page=20",
    ]);
  });

  test("looks for words where it can", async () => {
    const { calls, provider } = createFakeServer({
      "/api/mail/bounces/": { body: { results: [], ...PAGE } },
    });
    await provider.getList({ resource: "email-bounces", meta: { search: "ada" } });
    expect(calls.map(({ searchParams }) => searchParams.get("search"))).toEqual(["ada"]);
  });

  test("answers rows that have a name, their exact total, and counts where it has them", async () => {
    const summary = { total: 41, unprocessed: 12 };
    const { list } = createFakeServer({
      "/api/mail/bounces/": { body: { results: [BOUNCE], ...PAGE, summary } },
    });
    const rows = await list("email-bounces");
    expect(rows).toMatchObject({ total: 41, isEstimate: false, summary });
    expect(rows.data[0]).toMatchObject({ id: 4, repr: "ada@example.org", owner: null, note: null });
  });

  test("refuses a filter that it has no name for, as a server would", async () => {
    const { calls, list } = createFakeServer({});
    await expect(list("email-bounces", { issuer: "ACME" })).rejects.toMatchObject({
      statusCode: 400,
      code: "unknown_query",
    });
    expect(calls).toEqual([]);
  });

  test("writes an owner as a number", async () => {
    const { bodies, provider } = createFakeServer({ "/api/mail/bounces/4/": { body: BOUNCE } });
    await provider.update({
      resource: "email-bounces",
      id: 4,
      variables: { note: "asked them", owner: 7 },
    });
    expect(bodies).toEqual([{ note: "asked them", owner_id: 7 }]);
  });
});

describe("a list that is answered with 404", () => {
  const recent = (bounces: object[]) => ({ recent_activity: { bounces, complaints: [], deliveries: [] } });
  const row = {
    email: "ada@example.org",
    type: "Permanent",
    subtype: "General",
    bounced_at: new Date().toISOString(),
    is_processed: false,
  };

  test.each(["alone", "in an envelope"])("has the dashboard's rows, %s, in its own names", async (shape) => {
    const answer = recent([row]);
    const { calls, list } = createFakeServer({
      "/api/mail/dashboard/": { body: shape === "alone" ? answer : { success: true, data: answer } },
    });
    const rows = await list("email-bounces");
    expect(calls.map(({ pathname }) => pathname)).toEqual(["/api/mail/bounces/", "/api/mail/dashboard/"]);
    expect(rows).toMatchObject({ total: 1, isFallback: true });
    expect(rows.data[0]).toMatchObject({
      email_address: "ada@example.org",
      bounce_type: "Permanent",
      bounce_subtype: "General",
      is_processed: false,
    });
  });

  test("shows only those rows of it that the filters name", async () => {
    const rows = [
      row,
      { ...row, email: "done@example.org", is_processed: true },
      { ...row, email: "old@example.org", bounced_at: "2020-01-01T00:00:00.000Z" },
    ];
    const { list } = createFakeServer({ "/api/mail/dashboard/": { body: recent(rows) } });
    const found = await list("email-bounces", { status: "unprocessed", date_range: "30" });
    expect(found.data.map(({ email_address }) => email_address)).toEqual(["ada@example.org"]);
    expect(await list("email-bounces", { status: "current" })).toMatchObject({ total: 3 });
    expect(await list("email-bounces", { status: "unsubscribed" })).toMatchObject({ total: 0 });
  });

  test("fails where the dashboard does, and other failures stay what they are", async () => {
    const { list } = createFakeServer({ "/api/mail/dashboard/": { status: 503, body: { message: "Down" } } });
    await expect(list("email-bounces")).rejects.toMatchObject({ statusCode: 503, message: "Down" });
    const refused = createFakeServer({ "/api/mail/bounces/": { status: 403, body: { message: "No" } } });
    await expect(refused.list("email-bounces")).rejects.toMatchObject({ statusCode: 403 });
    expect(refused.calls).toHaveLength(1);
  });
});
