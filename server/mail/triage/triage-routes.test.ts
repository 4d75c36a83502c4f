import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";

const NOW = Date.parse("2026-05-10T10:00:00Z");
const DAY_MS = 24 * 60 * 60 * 1000;

let site: TestApp;
let staff: TestPerson;
let visitor: TestPerson;
beforeAll(async () => {
  site = await createTestApp({ now: () => new Date(NOW) });
  staff = await site.signInAs(10);
  visitor = await site.signInAs(5);
});
afterAll(() => site.close());
beforeEach(() =>
  asLogOwner(
    site.database.pool,
    "DELETE FROM mail_message; DELETE FROM mail_suppression; DELETE FROM mail_suppression_change; DELETE FROM audit_entry",
  ),
);

interface Row {
  address?: string;
  type?: "Permanent" | "Transient";
  daysAgo?: number;
  isProcessed?: boolean;
}

/** A bounce and a complaint of a mail of their own, with the same number. */
async function insertBounce({ address, type = "Permanent", daysAgo = 0, isProcessed = false }: Row = {}) {
  const { rows } = await site.database.pool.query<{ id: number }>(
    `WITH mail AS (
       INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
       SELECT key, key, key, 'test', coalesce($1, key || '@foyer.example'), coalesce($1, key || '@foyer.example'), 'en', '{}'
       FROM (SELECT gen_random_uuid()::text AS key) AS random RETURNING id, recipient
     )
     INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, status_code,
                              bounced_at, is_processed)
     SELECT id, recipient, 'test', 'ses', 'all', $2, 'General', '5.1.1', $3, $4 FROM mail RETURNING id`,
    [address ?? null, type, new Date(NOW - daysAgo * DAY_MS), isProcessed],
  );
  return rows[0]?.id ?? 0;
}

function call(method: "GET" | "POST" | "PATCH", path: string, payload?: object, person = staff) {
  return site.app.inject({
    method,
    url: `/api/mail/${path}`,
    headers: { authorization: person.authorization },
    ...(payload && { payload }),
  });
}

const list = async (query = "") => (await call("GET", `bounces/${query}`)).json();
const readStops = async () =>
  (
    await site.database.pool.query(
      "SELECT address, scope, source, reason FROM mail_suppression ORDER BY address",
    )
  ).rows;

describe("the list of bounces", () => {
  test("is of 30 days without a query, the unprocessed ones first, with exact totals and a summary of its filters", async () => {
    const old = await insertBounce({ daysAgo: 40 });
    const done = await insertBounce({ daysAgo: 1, isProcessed: true });
    const soft = await insertBounce({ daysAgo: 2, type: "Transient" });
    const first = await insertBounce({ daysAgo: 29 });
    const answer = await list();
    expect(answer.results.map(({ id }: { id: number }) => id)).toEqual([soft, first, done]);
    expect(answer).toMatchObject({
      total: 3,
      page: 1,
      pages: 1,
      summary: { total: 3, unprocessed: 2, permanent: 2, temporary: 1 },
    });
    expect((await list("?date_range=all")).results).toHaveLength(4);
    expect((await list("?date_range=7&type=Permanent")).results).toMatchObject([{ id: done }]);
    expect((await list("?status=processed&date_range=90")).results).toMatchObject([{ id: done }]);
    expect(await list("?date_range=all&per_page=3&page=2")).toMatchObject({ pages: 2, total: 4 });
    expect((await list("?date_range=all&type=Permanent")).results).toEqual(
      expect.arrayContaining([expect.objectContaining({ id: old, email_address: expect.any(String) })]),
    );
  });

  test("refuses what it does not know, and who may not read it", async () => {
    for (const query of ["?date_range=31", "?type=Soft", "?page=0", "?per_page=1000"])
      expect((await call("GET", `bounces/${query}`)).statusCode).toBe(400);
    expect((await call("GET", "bounces/", undefined, visitor)).statusCode).toBe(403);
    expect((await site.app.inject({ url: "/api/mail/bounces/" })).statusCode).toBe(401);
  });

  test("finds part of an address", async () => {
    await insertBounce({ address: "isil.ornek@foyer.example" });
    await insertBounce();
    expect((await list("?search=ORNEK")).results).toMatchObject([
      { email_address: "isil.ornek@foyer.example" },
    ]);
  });
});

describe("a row", () => {
  const one = async (id: number, lang: string) => {
    const headers = { authorization: staff.authorization, "accept-language": lang };
    return (await site.app.inject({ url: `/api/mail/bounces/${id}/`, headers })).json();
  };

  test("calls the kind of its mail by a name, in the caller's language", async () => {
    const id = await insertBounce();
    expect(await one(id, "en")).toMatchObject({ mail_kind: "test", mail_kind_label: "Test mail" });
    expect(await one(id, "tr")).toMatchObject({ mail_kind_label: "Deneme e-postası" });
  });

  test("says what stops mail to its address, whatever made it, and who did", async () => {
    const [id, open] = [await insertBounce({ address: "a@foyer.example" }), await insertBounce()];
    await site.database.pool.query(
      `INSERT INTO mail_suppression (address, scope, reason, created_by_id, expires_at) VALUES
       ('a@foyer.example', 'optional', 'Asked', NULL, NULL), ('a@foyer.example', 'all', 'Asked', $1, NULL)`,
      [staff.userId],
    );
    const suppressed = { scope: "all", created_by: staff.username, expires_at: null };
    expect(await one(id, "en")).toMatchObject({ suppression: null, suppressed });
    expect((await list("?status=all")).results).toMatchObject([
      { id: open, suppressed: null },
      { suppressed },
    ]);
    await site.database.pool.query("UPDATE mail_suppression SET expires_at = $1", [new Date(NOW - 1)]);
    expect(await one(id, "en")).toMatchObject({ suppressed: null });
  });
});

describe("staff", () => {
  test("process one, and find it among the processed", async () => {
    const id = await insertBounce();
    const answer = (await call("POST", `bounces/${id}/mark_processed/`)).json();
    expect(answer).toMatchObject({
      success: true,
      message: "Marked as processed.",
      results: [{ id, ok: true }],
    });
    expect((await list("?status=processed")).results).toMatchObject([{ id, is_processed: true }]);
    const again = (await call("POST", `bounces/${id}/mark_processed/`)).json();
    expect(again).toMatchObject({ success: false, message: "It was processed already.", undo: null });
    expect((await call("POST", "bounces/2147483647/mark_processed/")).statusCode).toBe(404);
  });

  test("unsubscribe a permanent one: its address gets no mail, and it leaves the default list but stays", async () => {
    const id = await insertBounce({ address: "Gone@Foyer.example" });
    const answer = (await call("POST", `bounces/${id}/unsubscribe/`)).json();
    expect(answer).toMatchObject({ success: true, message: "This address gets no more mail." });
    expect(await readStops()).toEqual([
      { address: "gone@foyer.example", scope: "all", source: "bounce", reason: "Returned: 5.1.1" },
    ]);
    expect((await list()).results).toEqual([]);
    expect((await list("?status=unsubscribed")).results).toMatchObject([
      { id, is_processed: true, unsubscribed_by: "staff", suppression: expect.any(Number) },
    ]);
  });

  test("are notified where the address got no mail already, and refused for one that came back for the moment", async () => {
    const [one, two] = [
      await insertBounce({ address: "a@foyer.example" }),
      await insertBounce({ address: "a@foyer.example" }),
    ];
    const soft = await insertBounce({ type: "Transient" });
    await call("POST", `bounces/${one}/unsubscribe/`);
    expect((await call("POST", `bounces/${two}/unsubscribe/`)).json()).toMatchObject({
      success: true,
      message: "This address got no mail already. It is processed now.",
    });
    expect((await call("POST", `bounces/${two}/unsubscribe/`)).json()).toMatchObject({
      success: true,
      message: "It was unsubscribed already.",
      results: [{ id: two, ok: true, code: "already_unsubscribed" }],
      undo: null,
    });
    expect((await call("POST", `bounces/${soft}/unsubscribe/`)).json()).toMatchObject({
      success: false,
      results: [{ id: soft, ok: false, code: "transient_bounce" }],
    });
    expect(await readStops()).toHaveLength(1);
  });

  test("work on 500 rows in one call with a result for each, and undo it exactly", async () => {
    const ids: number[] = [];
    for (let index = 0; index < 499; index += 1)
      ids.push(await insertBounce({ isProcessed: index % 2 === 0 }));
    ids.push(await insertBounce({ type: "Transient" }));
    const before = (await list("?status=all&per_page=200")).summary;
    const preview = (await call("POST", "bounces/batch_unsubscribe/preview/", { bounce_ids: ids })).json();
    expect(await readStops()).toEqual([]);
    expect((await list("?status=all&per_page=200")).summary).toEqual(before);
    const answer = (await call("POST", "bounces/batch_unsubscribe/", { bounce_ids: ids })).json();
    expect(answer).toMatchObject({ success: true, message: "Done for 499 of 500." });
    expect(preview).toEqual({ ...answer, undo: null });
    expect(answer.results.filter(({ ok }: { ok: boolean }) => !ok)).toEqual([
      expect.objectContaining({ id: ids[499], code: "transient_bounce" }),
    ]);
    expect(await readStops()).toHaveLength(499);
    const undone = await call("POST", "triage/undo/", answer.undo.body);
    expect(undone.json()).toMatchObject({ success: true });
    expect(await readStops()).toEqual([]);
    expect((await list("?status=all&per_page=200")).summary).toEqual(before);
    expect((await call("POST", "triage/undo/", answer.undo.body)).statusCode).toBe(409);
    const more = { bounce_ids: [...ids, 1] };
    expect((await call("POST", "bounces/batch_process/", more)).statusCode).toBe(400);
  });

  test("leave a note and an owner, who must be staff", async () => {
    const id = await insertBounce();
    const change = { note: " Asked by phone. ", owner_id: staff.userId };
    expect((await call("PATCH", `bounces/${id}/`, change)).json()).toMatchObject({
      note: "Asked by phone.",
      owner: { id: staff.userId, repr: staff.username },
    });
    const refused = await call("PATCH", `bounces/${id}/`, { owner_id: visitor.userId });
    expect(refused.statusCode).toBe(400);
    expect((await call("PATCH", `bounces/${id}/`, { note: null })).json()).toMatchObject({
      note: null,
      owner: { id: staff.userId },
    });
  });

  test("leave one entry a row in the log, which names addresses in part only", async () => {
    const id = await insertBounce({ address: "someone@foyer.example" });
    await call("POST", `bounces/${id}/unsubscribe/`);
    const { rows } = await site.database.pool.query(
      "SELECT username, detail, object_repr FROM audit_entry ORDER BY id",
    );
    const same = { username: staff.username, detail: "unsubscribe", object_repr: "s…@foyer.example" };
    expect(rows).toEqual([same, same]);
  });
});

test("an address of somebody of the own level or above is not unsubscribed, and the row says so", async () => {
  const peer = await site.signInAs(10, "triage_peer");
  const ids = [await insertBounce({ address: peer.email }), await insertBounce()];
  const answer = (await call("POST", "bounces/batch_unsubscribe/", { bounce_ids: ids })).json();
  expect(answer.results.map(({ code }: { code: string }) => code)).toEqual([
    "address_of_peer",
    "unsubscribed",
  ]);
  expect(await readStops()).not.toContainEqual(expect.objectContaining({ address: peer.email }));
});
