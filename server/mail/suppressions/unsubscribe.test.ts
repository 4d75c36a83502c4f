import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { toRuns } from "#test/property-runs.ts";

const TOKEN = "0123456789abcdef01234567";
const URL = `/api/mail/unsubscribe/${TOKEN}/`;
const URLENCODED = "application/x-www-form-urlencoded";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());
beforeEach(async () => {
  const { pool } = site.database;
  await pool.query("DELETE FROM mail_message");
  await pool.query("DELETE FROM mail_suppression");
  await asLogOwner(pool, "DELETE FROM audit_entry");
  await pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars)
     VALUES ($1, 'r1', '<m@site.test>', 'contact_acknowledgement', 'Isil@Foyer.example', 'isil@foyer.example', 'tr', '{}'),
            ('dead', 'r2', '<g@site.test>', 'contact_acknowledgement', '', '', 'en', '{}'),
            ('c0de', 'r3', '<c@site.test>', 'verification_code', 'isil@foyer.example', 'isil@foyer.example', 'en', '{}')`,
    [TOKEN],
  );
});

const post = (payload: string, { url = URL, type = URLENCODED, headers = {} } = {}) =>
  site.app.inject({ method: "POST", url, headers: { "content-type": type, ...headers }, payload });

async function readStops() {
  const { rows } = await site.database.pool.query(
    "SELECT address, scope, source, created_by_id, expires_at FROM mail_suppression ORDER BY id",
  );
  return rows;
}

async function readAudit() {
  const { rows } = await site.database.pool.query(
    "SELECT user_id, username, action_type, detail, object_repr FROM audit_entry ORDER BY id",
  );
  return rows;
}

/** The test server's pages show their data as JSON (test/app.ts). */
const readState = (body: string) => JSON.parse(/\{.*\}/s.exec(body)?.[0] ?? "null");

const STOP = {
  address: "isil@foyer.example",
  scope: "optional",
  source: "unsubscribe",
  created_by_id: null,
  expires_at: null,
};
const MULTIPART =
  '--b\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--b--\r\n';

describe("a mail client's one click", () => {
  test.each([
    ["urlencoded", "List-Unsubscribe=One-Click", URLENCODED],
    ["multipart", MULTIPART, "multipart/form-data; boundary=b"],
  ])(
    "as %s stops optional mails for good, without cookie, log-in or redirect",
    async (_kind, payload, type) => {
      const answer = await post(payload, { type });
      expect(answer.statusCode).toBe(200);
      expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
      expect(answer.headers["set-cookie"]).toBeUndefined();
      expect(answer.body).toBe("I…@Foyer.example adresine artık bu tür e-postalar gönderilmeyecek.\n");
      expect(await readStops()).toEqual([STOP]);
      expect(await readAudit()).toEqual([
        {
          user_id: null,
          username: null,
          action_type: "CREATE",
          detail: "unsubscribe",
          object_repr: "i…@foyer.example",
        },
      ]);
    },
  );

  test("ten times at once is one stop and one entry, and every time a success", async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post("List-Unsubscribe=One-Click")));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual(Array(10).fill(200));
    expect(await readStops()).toEqual([STOP]);
    expect(await readAudit()).toHaveLength(1);
  });

  test("makes a stop that would have ended one that doesn't", async () => {
    await site.database.pool.query(
      `INSERT INTO mail_suppression (address, scope, reason, source, expires_at)
       VALUES ('isil@foyer.example', 'optional', 'x', 'admin', now() + interval '1 day')`,
    );
    await post("List-Unsubscribe=One-Click");
    expect(await readStops()).toMatchObject([{ expires_at: null }]);
  });
});

describe("a person's way", () => {
  test.each([
    ["", "tr"],
    ["/en", "en"],
    ["/tr", "tr"],
  ])("opens the page at %s in %s, which changes nothing, and confirms on it", async (prefix, lang) => {
    const page = await site.app.inject({ url: prefix + URL, headers: { "accept-language": "en" } });
    expect(page.statusCode).toBe(200);
    expect(page.headers).toMatchObject({ "cache-control": "no-store", "content-language": lang });
    const address = "I…@Foyer.example";
    expect(readState(page.body)).toEqual({
      screen: "unsubscribe",
      unsubscribe: { step: "ask", token: TOKEN, address },
    });
    expect(page.body).not.toContain("Isil@");
    expect(await readStops()).toEqual([]);
    expect(await readAudit()).toEqual([]);

    const done = await post("confirm=yes", { url: prefix + URL });
    expect(done.statusCode).toBe(200);
    expect(done.headers["content-language"]).toBe(lang);
    expect(readState(done.body)).toEqual({ screen: "unsubscribe", unsubscribe: { step: "done", address } });
    expect(await readStops()).toEqual([STOP]);
  });

  test.each([
    ["nothing", "", URLENCODED],
    ["another answer", "confirm=no&List-Unsubscribe=Two", URLENCODED],
    ["a form that is none", "--x", "multipart/form-data; boundary=b"],
  ])("a post with %s asks again and stops nothing", async (_what, payload, type) => {
    const answer = await post(payload, { type });
    expect(answer.statusCode).toBe(400);
    expect(readState(answer.body).unsubscribe.step).toBe("ask");
    expect(await readStops()).toEqual([]);
  });

  test.each([
    ["application/json", 415, "{}"],
    [URLENCODED, 413, "x".repeat(9000)],
  ])("a post of %s → %d", async (type, status, payload) => {
    expect((await post(payload, { type })).statusCode).toBe(status);
    expect(await readStops()).toEqual([]);
  });
});

describe("a link that leads to nothing", () => {
  test("says so: a page, or a line for a program", async () => {
    const url = "/api/mail/unsubscribe/abc/";
    const page = await site.app.inject({ url });
    expect([page.statusCode, readState(page.body).unsubscribe]).toEqual([404, { step: "unknown" }]);
    const posted = await post("confirm=yes", { url });
    expect([posted.statusCode, readState(posted.body).unsubscribe]).toEqual([404, { step: "unknown" }]);
    const click = await post("List-Unsubscribe=One-Click", { url });
    expect([click.statusCode, click.headers["content-type"]]).toEqual([404, "text/plain; charset=utf-8"]);
  });

  test("is that of a person who is forgotten, too", async () => {
    expect((await post("confirm=yes", { url: "/api/mail/unsubscribe/dead/" })).statusCode).toBe(404);
  });

  test("is that of a mail that can't be stopped, such as a code", async () => {
    const url = "/api/mail/unsubscribe/c0de/";
    expect((await site.app.inject({ url })).statusCode).toBe(404);
    expect((await post("List-Unsubscribe=One-Click", { url })).statusCode).toBe(404);
    expect(await readStops()).toEqual([]);
  });

  test("answers the same for random tokens and for all neighbours of a real one", async () => {
    const neighbours = Array.from(TOKEN, (_, at) => `${TOKEN.slice(0, at)}z${TOKEN.slice(at + 1)}`);
    const tokens = [
      ...Array.from({ length: toRuns(100, 1000) }, () => randomBytes(12).toString("hex")),
      ...neighbours,
      TOKEN.toUpperCase(),
      TOKEN.slice(1),
      `${TOKEN}0`,
      "\0",
      "%",
      "'; DROP TABLE mail_message; --",
    ];
    const answers = new Set<string>();
    for (const token of tokens) {
      const url = `/api/mail/unsubscribe/${encodeURIComponent(token)}/`;
      for (const payload of ["List-Unsubscribe=One-Click", "confirm=yes"]) {
        const answer = await post(payload, { url });
        answers.add(
          `${answer.statusCode} ${readState(answer.body)?.unsubscribe?.step ?? answer.body.trim()}`,
        );
      }
    }
    expect([...answers]).toEqual(["404 This link belongs to no mail.", "404 unknown"]);
    expect(await readStops()).toEqual([]);
    expect(await readAudit()).toEqual([]);
  });
});

test("the description of the API names both endpoints once", async () => {
  const { paths } = (await site.app.inject({ url: "/api/openapi.json" })).json();
  const named = Object.keys(paths).filter((path) => path.includes("/mail/unsubscribe/"));
  expect(named).toEqual(["/api/mail/unsubscribe/{token}/"]);
  expect(Object.keys(paths["/api/mail/unsubscribe/{token}/"]).sort()).toEqual(["get", "post"]);
});
