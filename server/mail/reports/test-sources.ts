import { mailSourcesAnswer } from "#contract/mail/sources.ts";
import { createTestApp, type TestPerson } from "#test/app.ts";
import { asLogOwner } from "#test/database.ts";
import { type ReportedEvent, ReportRefusedError, type ReportSource } from "./report-source.ts";

/** Takes its events as they are; one that holds none can't be read. */
const toSource = (name: string): ReportSource => ({
  name,
  bodyMaxBytes: 100_000,
  async verify(raw) {
    const body = JSON.parse(raw.toString());
    if (body.refuse) throw new ReportRefusedError(403, "unknownSignature");
    if (body.confirm) return { key: "c", content: null, confirmation: { url: body.confirm, topic: "arn:t" } };
    return { key: JSON.stringify(body).slice(0, 200), content: body.events ?? {} };
  },
  read(content) {
    if (!Array.isArray(content)) throw new Error("It is not an event.");
    return content as ReportedEvent[]; // the tests write them
  },
});

/** Two ways in, while mails are files. */
export const TWO_WAYS = { webhooks: [toSource("ses"), toSource("signed")], takesReturnedMail: false };
export const toReturningAddress = (name: string) => `${name}@bounces.example`;

/** A site that sends mails and has two ways in, with people to ask it. */
export async function openTestSources() {
  const clock = { now: Date.now() };
  const site = await createTestApp({
    mailWays: { ...TWO_WAYS, toReturningAddress },
    now: () => new Date(clock.now),
  });
  const staff = await site.signInAs(10);
  const owner = await site.signInAs(999);
  await site.listen();
  const { pool } = site.database;

  const ask = (method: "GET" | "POST", path: string, payload?: object, person = staff, language = "en") =>
    site.app.inject({
      method,
      url: `/api/mail/${path}`,
      headers: { authorization: person.authorization, "accept-language": language },
      ...(payload && { payload }),
    });

  return {
    site,
    pool,
    clock,
    staff,
    owner,
    ask,
    read: async (person: TestPerson = staff, language = "en") =>
      mailSourcesAnswer.parse((await ask("GET", "sources/", undefined, person, language)).json()),
    post: (name: string, body: object) =>
      site.app.inject({
        method: "POST",
        url: `/api/mail/webhooks/${name}/`,
        headers: { "content-type": "application/json" },
        payload: JSON.stringify(body),
      }),
    isRead: async () => (await pool.query("SELECT FROM mail_report WHERE state = 'new'")).rowCount === 0,
    async empty() {
      // Refusals are written down once a second at most.
      clock.now += 1_000;
      await asLogOwner(
        pool,
        `DELETE FROM mail_message; DELETE FROM mail_event; DELETE FROM mail_report; DELETE FROM mail_source;
         DELETE FROM audit_entry`,
      );
    },
    close: () => site.close(),
  };
}

export type TestSources = Awaited<ReturnType<typeof openTestSources>>;
