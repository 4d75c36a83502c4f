import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { ReportRefusedError } from "./refusals.ts";
import type { ReportSource } from "./report-source.ts";
import { createSesSource } from "./ses/ses-source.ts";
import {
  CERTIFICATE_ADDRESS,
  createCertificateHost,
  getOwnCertificate,
  NOW,
  readEnvelope,
  sign,
  TOPIC,
} from "./ses/test-sns.ts";

/** What a provider sends is JSON with `key`; `refuse` makes it refused. */
const source: ReportSource = {
  name: "signed",
  bodyMaxBytes: 100_000,
  async verify(raw) {
    const body = JSON.parse(raw.toString());
    if (body.refuse) throw new ReportRefusedError(body.refuse, "certificateOwner", { owner: "evil.example" });
    if (body.confirm) return { key: "c", content: null, confirmation: { url: body.confirm, topic: "t" } };
    return body.key ? { key: body.key, content: [] } : undefined;
  },
  read: () => [],
};

const certificates = createCertificateHost((address) =>
  address === CERTIFICATE_ADDRESS ? new Response(getOwnCertificate().pem) : new Response("", { status: 404 }),
);
const ses = createSesSource({ topics: [TOPIC], fetch: certificates.fetch, now: () => NOW });

const clock = { now: Date.now() };
let site: TestApp;
beforeAll(async () => {
  site = await createTestApp({
    mailWays: { webhooks: [source, ses], takesReturnedMail: false },
    now: () => new Date(clock.now),
  });
});
afterAll(() => site.close());
beforeEach(async () => {
  // Refusals are written down once a second at most.
  clock.now += 1_000;
  await site.database.pool.query("DELETE FROM mail_report; DELETE FROM mail_source");
});

const post = (payload: object, provider = "signed", type = "text/plain; charset=utf-8") =>
  site.app.inject({
    method: "POST",
    url: `/api/mail/webhooks/${provider}/`,
    headers: { "content-type": type },
    payload: JSON.stringify(payload),
  });
const readReports = async () =>
  (await site.database.pool.query("SELECT source, report_key FROM mail_report ORDER BY id")).rows;

test.each(["text/plain", "application/json", "application/x-www-form-urlencoded"])(
  "a report of type %s is stored before it is answered, and once",
  async (type) => {
    for (const _ of [1, 2]) expect((await post({ key: "one" }, "signed", type)).statusCode).toBe(200);
    expect(await readReports()).toEqual([{ source: "signed", report_key: "one" }]);
  },
);

test("what holds nothing to keep is answered and not stored", async () => {
  expect((await post({})).json()).toEqual({ success: true });
  expect(await readReports()).toEqual([]);
});

test.each([400, 403])(
  "a refusal is a %d that tells the sender nothing, and staff everything",
  async (status) => {
    const answer = await post({ refuse: status });
    expect(answer.statusCode).toBe(status);
    expect(answer.body).not.toContain("evil");
    expect(await readReports()).toEqual([]);
    const { rows } = await site.database.pool.query("SELECT name, refusal FROM mail_source");
    expect(rows).toEqual([{ name: "signed", refusal: "The certificate is not one of evil.example." }]);
  },
);

test("a way in that is not set up is not there", async () => {
  for (const type of ["text/plain", "application/octet-stream", "application/json", "odd"])
    expect((await post({ key: "one" }, "mailgun", type)).statusCode).toBe(404);
});

test("a link that somebody has to open waits for staff until a report comes", async () => {
  await post({ confirm: "https://sns.example/confirm" });
  const read = async () => (await site.database.pool.query("SELECT confirmation_url FROM mail_source")).rows;
  expect(await read()).toEqual([{ confirmation_url: "https://sns.example/confirm" }]);
  await post({ key: "one" });
  expect(await read()).toEqual([{ confirmation_url: null }]);
});

test("a body that is too large for its way in is refused without being read", async () => {
  expect((await post({ key: "x".repeat(150_000) })).statusCode).toBe(413);
  // Amazon's may be larger: this one is refused for what it says.
  expect((await post({ key: "x".repeat(150_000) }, "ses")).statusCode).toBe(400);
  expect((await post({ key: "x".repeat(600_000) }, "ses")).statusCode).toBe(413);
});

test("while the database takes nothing a sender is asked to try again", async () => {
  const { pool } = site.database;
  await pool.query(
    `CREATE FUNCTION refuse_report() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'; END $$;
     CREATE TRIGGER refuse_report BEFORE INSERT ON mail_report FOR EACH ROW EXECUTE FUNCTION refuse_report()`,
  );
  expect((await post({ key: "later" })).statusCode).toBe(503);
  await pool.query("DROP TRIGGER refuse_report ON mail_report; DROP FUNCTION refuse_report()");
  expect((await post({ key: "later" })).statusCode).toBe(200);
  expect(await readReports()).toHaveLength(1);
});

test("who makes certificates of Amazon up costs five requests, and no proven report is refused for it", async () => {
  const postFrom = async (remoteAddress: string, change: object) => {
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/mail/webhooks/ses/",
      headers: { "content-type": "text/plain" },
      payload: JSON.stringify(sign({ ...readEnvelope("sns/send.json"), ...change })),
      remoteAddress,
    });
    return answer.statusCode;
  };
  const forge = (index: number) =>
    postFrom("192.0.2.1", {
      SigningCertURL: CERTIFICATE_ADDRESS.replace(/[0-9a-f]{32}/, String(index).padStart(32, "0")),
    });
  const forged = await Promise.all(Array.from({ length: 50 }, (_, index) => forge(index)));
  expect(certificates.requests).toHaveLength(5);
  // What wasn't looked at may be Amazon's, so it is to come again.
  expect(forged.toSorted()).toEqual([...Array(5).fill(403), ...Array(45).fill(503)]);
  expect(await postFrom("198.51.100.1", { MessageId: "proven" })).toBe(200);
  expect(await postFrom("192.0.2.1", { MessageId: "from-the-same-network" })).toBe(200);
  expect(certificates.requests).toHaveLength(6);
  expect(await readReports()).toHaveLength(2);
});
