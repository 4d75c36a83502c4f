import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { mailReportAnswer, replayAnswer } from "#contract/mail-timeline.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { mailReportTable } from "#server/models/declared/mail-event.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { until } from "#test/until.ts";
import type { ReportSource } from "./report-source.ts";
import type { ReportedEvent } from "./reported-event.ts";

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
  await site.database.pool.query(
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
