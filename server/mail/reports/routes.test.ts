import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { mailReportAnswer, replayAnswer } from "#contract/mail/messages.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { until } from "#test/until.ts";
import { DECLARED } from "../../models/declared/all.ts";
import { mailReportTable } from "../../models/declared/mail-event.ts";
import { type ReportedEvent, ReportRefusedError, type ReportSource } from "./report-source.ts";
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

describe("routes", () => {
  /** What a provider sends is JSON with `key`; `refuse` makes it refused. */
  const source: ReportSource = {
    name: "signed",
    bodyMaxBytes: 100_000,
    async verify(raw) {
      const body = JSON.parse(raw.toString());
      if (body.refuse)
        throw new ReportRefusedError(body.refuse, "certificateOwner", { owner: "evil.example" });
      if (body.confirm) return { key: "c", content: null, confirmation: { url: body.confirm, topic: "t" } };
      return body.key ? { key: body.key, content: [] } : undefined;
    },
    read: () => [],
  };

  const certificates = createCertificateHost((address) =>
    address === CERTIFICATE_ADDRESS
      ? new Response(getOwnCertificate().pem)
      : new Response("", { status: 404 }),
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
    "a refusal is a %d that shows the sender nothing, and staff everything",
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
    const read = async () =>
      (await site.database.pool.query("SELECT confirmation_url FROM mail_source")).rows;
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
    expect((await post({ key: "later" })).statusCode).toBe(507);
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
});

describe("report routes", () => {
  /** What it can't read, it can once `canRead` is true: a better parser came. */
  let canRead = false;
  const source: ReportSource = {
    name: "signed",
    bodyMaxBytes: 100_000,
    async verify(raw) {
      const { key, ...content } = JSON.parse(raw.toString());
      return { key, content };
    },
    read() {
      if (!canRead) throw new Error("It is not an event.");
      const delivered: ReportedEvent = {
        kind: "delivered",
        key: "d",
        occurredAt: "2026-05-01T10:00:00Z",
        recipient: "ada@foyer.example",
        mail: {},
      };
      return [delivered];
    },
  };

  let site: TestApp;
  let owner: TestPerson;
  beforeAll(async () => {
    site = await createTestApp({ mailWays: { webhooks: [source], takesReturnedMail: false } });
    owner = await site.signInAs(999);
    await site.listen();
  });
  afterAll(() => site.close());
  beforeEach(async () => {
    canRead = false;
    await asLogOwner(
      site.database.pool,
      "DELETE FROM mail_event; DELETE FROM mail_report; DELETE FROM audit_entry WHERE detail = 'replay_reports'",
    );
  });

  const ask = (
    method: "GET" | "POST",
    path: string,
    { payload, authorization = owner.authorization, language = "en" }: AskOptions = {},
  ) =>
    site.app.inject({
      method,
      url: `/api/mail/reports/${path}`,
      headers: { authorization, "accept-language": language },
      ...(payload && { payload }),
    });
  interface AskOptions {
    payload?: object;
    authorization?: string;
    language?: string;
  }

  const readStates = async () =>
    (await site.database.pool.query("SELECT state FROM mail_report ORDER BY id")).rows.map(
      ({ state }) => state,
    );
  const isRead = async () => !(await readStates()).includes("new");
  const readLog = async () =>
    (
      await site.database.pool.query(
        "SELECT username, object_repr, changes FROM audit_entry WHERE detail = 'replay_reports' ORDER BY id",
      )
    ).rows;

  /** Takes a report and lets it be read. @returns its number. */
  async function take(key: string): Promise<number> {
    const answer = await site.app.inject({
      method: "POST",
      url: "/api/mail/webhooks/signed/",
      headers: { "content-type": "application/json" },
      payload: JSON.stringify({ key, told: "something" }),
    });
    expect(answer.statusCode).toBe(200);
    await until(isRead);
    const { rows } = await site.database.pool.query("SELECT max(id) AS id FROM mail_report");
    return rows[0].id;
  }

  test("a report is shown as it came, with the reason why it can't be read, or with what was read out of it", async () => {
    const id = await take("1");
    const failed = mailReportAnswer.parse((await ask("GET", `${id}/`)).json());
    expect(failed).toMatchObject({
      id,
      source: "signed",
      state: "failed",
      error: "It is not an event.",
      content: { told: "something" },
      events: [],
    });
    canRead = true;
    await ask("POST", `${id}/replay/`);
    await until(isRead);
    const report = mailReportAnswer.parse((await ask("GET", `${id}/`)).json());
    expect(report).toMatchObject({
      state: "read",
      error: null,
      parser_version: 1,
      events: [{ kind: "delivered", occurred_at: "2026-05-01T10:00:00.000Z", report_id: id }],
    });
  });

  test("one report is read again at once by the running server, and the log says who wanted it", async () => {
    const id = await take("1");
    await take("2");
    canRead = true;
    const answer = await ask("POST", `${id}/replay/`, { language: "tr" });
    expect(replayAnswer.parse(answer.json())).toEqual({
      success: true,
      message: "Bildirim yeniden okunuyor.",
      count: 1,
    });
    await until(isRead);
    expect(await readStates()).toEqual(["read", "failed"]);
    expect(await readLog()).toEqual([
      { username: owner.username, object_repr: `signed ${id}`, changes: { count: { after: 1 } } },
    ]);
  });

  test.each([
    [undefined, 2],
    [{}, 2],
    [{ all: false }, 2],
    [{ all: true }, 3],
  ])("of three reports, two of them unreadable, %j reads %d again", async (payload, count) => {
    for (const key of ["1", "2"]) await take(key);
    canRead = true;
    await take("3");
    const answer = await ask("POST", "replay/", payload ? { payload } : {});
    expect(replayAnswer.parse(answer.json())).toEqual({
      success: true,
      message: `${count} reports are read again.`,
      count,
    });
    await until(isRead);
    expect(await readStates()).toEqual(["read", "read", "read"]);
    expect(await readLog()).toMatchObject([{ changes: { count: { after: count } } }]);
  });

  test("where nothing is to be read again, the answer says why, and the log nothing", async () => {
    canRead = true;
    const id = await take("1");
    expect((await ask("POST", "replay/")).json()).toEqual({
      success: false,
      message: "No report is there to be read again.",
      count: 0,
    });
    await site.database.pool.query("UPDATE mail_report SET content = 'null'");
    expect((await ask("POST", `${id}/replay/`)).json()).toMatchObject({
      success: false,
      message: expect.stringContaining("deleted their account"),
    });
    expect((await ask("GET", `${id}/`)).json()).toMatchObject({ content: null });
    expect(await readLog()).toEqual([]);
  });

  test("a report that isn't there is not found", async () => {
    for (const [method, path] of [
      ["GET", "1000000/"],
      ["POST", "1000000/replay/"],
    ] as const)
      expect((await ask(method, path)).statusCode).toBe(404);
  });

  test("below level 999 there is no report, by these calls or by a content model", async () => {
    const id = await take("1");
    const { authorization } = await site.signInAs(998);
    const calls = [
      ["GET", `${id}/`],
      ["POST", `${id}/replay/`],
      ["POST", "replay/"],
    ] as const;
    for (const [method, path] of calls)
      expect((await ask(method, path, { authorization })).statusCode).toBe(403);
    expect(await readStates()).toEqual(["failed"]);
    expect(DECLARED.map(({ table }) => table)).not.toContain(mailReportTable);
  });
});
