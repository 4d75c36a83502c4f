import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import pino from "pino";
import { parseConfig } from "#server/config.ts";
import { openMailDeps } from "#server/open-mail.ts";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import type { ReturnPathKind } from "./message.ts";
import { createReturnPath, selectReturnPathRefusal } from "./return-path.ts";
import { openTestOutbox, sendDue, type TestOutbox } from "./test-outbox.ts";
import { createSmtpTransport, type MailTransport } from "./transports.ts";

const OWN = "site@foyer.example";
const REFUSAL = { status: 550, text: "5.7.60 Client does not have permissions to send as this sender" };
const HOUR_MS = 60 * 60 * 1000;

let outbox: TestOutbox;
let sink: MailSink;
let transport: MailTransport;
/** Every sender that the server was told, in order. */
let asked: string[];
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  await outbox.empty();
  sink = await openMailSink();
  transport = createSmtpTransport(sink.url);
  asked = [];
});
afterEach(async () => {
  await transport.close();
  await sink.close();
});

/** The server lets the log-in send from its own address alone. */
function takeOwnAddressAlone(refusal = REFUSAL): void {
  sink.answerSender = (sender) => {
    asked.push(sender === OWN ? "sender" : "verp");
    return sender === OWN ? undefined : refusal;
  };
}

/** Queues a mail and sends it with a worker that has just started: what it knows stands in the database. */
async function sendOne({ wanted = "verp", smtpUrl }: { wanted?: ReturnPathKind; smtpUrl?: string } = {}) {
  const { pool, now, log } = outbox;
  await outbox.mail.queue(pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
  const returnPath = createReturnPath({ pool, server: outbox.toServer(smtpUrl), wanted, now, log });
  await sendDue(outbox.toDeps(transport, { returnPath }));
  return (await outbox.readRows()).at(-1);
}

test.each([550, 553, 501, 554])(
  "a %d to a mail's own return path: it goes at once with the sender's address, and so do those that follow a restart",
  async (status) => {
    takeOwnAddressAlone({ status, text: "5.7.1 Sender rejected" });
    expect(await sendOne()).toMatchObject({ status: "sent", attempts: 1 });
    expect(await sendOne()).toMatchObject({ status: "sent", attempts: 1 });
    expect(asked).toEqual(["verp", "sender", "sender"]);
    expect(sink.accepted.map(({ sender }) => sender)).toEqual([OWN, OWN]);
    expect(await selectReturnPathRefusal(outbox.pool, outbox.toServer())).toMatchObject({
      answer: `${status} 5.7.1 Sender rejected`,
    });
  },
);

test.each([
  ["at RCPT TO, as Postfix does", 553, "5.7.1 <x>: Sender address rejected: not owned by user site"],
  ["after DATA, as Exchange does", 554, "5.2.252 SendAsDenied; site@foyer.example not allowed to send as x"],
])("a refusal of the sender %s is one too", async (place, status, text) => {
  let isOwn = false;
  sink.answerSender = (sender) => {
    isOwn = sender === OWN;
    return undefined;
  };
  if (place.startsWith("at RCPT")) sink.answerRecipient = () => (isOwn ? undefined : { status, text });
  else sink.answer = () => (isOwn ? { kind: "accept" } : { kind: "reject", status, text });
  expect(await sendOne()).toMatchObject({ status: "sent", attempts: 1 });
  expect(sink.accepted).toMatchObject([{ sender: OWN }]);
});

test("the server is asked again after a day; what it then takes is forgotten", async () => {
  takeOwnAddressAlone();
  await sendOne();
  outbox.clock.now += 23 * HOUR_MS;
  await sendOne();
  outbox.clock.now += 2 * HOUR_MS;
  await sendOne();
  expect(asked).toEqual(["verp", "sender", "sender", "verp", "sender"]);
  outbox.clock.now += 25 * HOUR_MS;
  sink.answerSender = () => undefined;
  await sendOne();
  await sendOne();
  const taken = sink.accepted.slice(-2).map(({ sender }) => sender);
  expect(taken).toEqual([expect.stringContaining("+b-"), expect.stringContaining("+b-")]);
  expect(await selectReturnPathRefusal(outbox.pool, outbox.toServer())).toBeUndefined();
});

test("another mail server, or another sender, is asked anew", async () => {
  takeOwnAddressAlone();
  await sendOne();
  await sendOne({ smtpUrl: "smtp://other.example" });
  expect(asked).toEqual(["verp", "sender", "verp", "sender"]);
  const { rows } = await outbox.pool.query("SELECT server FROM mail_return_path");
  expect(rows).toEqual([{ server: outbox.toServer("smtp://other.example") }]);
  expect(JSON.stringify(rows)).not.toContain("other.example");
});

test("MAIL_RETURN_PATH=sender never asks for another one", async () => {
  takeOwnAddressAlone();
  await sendOne({ wanted: "sender" });
  expect(asked).toEqual(["sender"]);
});

test("a server that refuses the plain address too is no fallback: the mail waits, and nothing is remembered", async () => {
  sink.answerSender = () => REFUSAL;
  expect(await sendOne()).toMatchObject({ status: "pending", response: expect.stringContaining("550") });
  expect(await selectReturnPathRefusal(outbox.pool, outbox.toServer())).toBeUndefined();
});

test("a recipient who is refused after the fallback is refused, and the fallback is remembered", async () => {
  takeOwnAddressAlone();
  sink.answerRecipient = () => ({ status: 550, text: "5.1.1 no such person" });
  expect(await sendOne()).toMatchObject({ status: "failed", response: expect.stringContaining("5.1.1") });
  expect(await selectReturnPathRefusal(outbox.pool, outbox.toServer())).toBeDefined();
});

test.each([
  ["a 451", { status: 451, text: "4.7.1 try again later" }],
  ["a 530", { status: 530, text: "5.7.0 log in first" }],
])("%s to the sender says nothing of return paths", async (_name, answer) => {
  sink.answerSender = (sender) => {
    asked.push(sender);
    return answer;
  };
  expect(await sendOne()).toMatchObject({ status: "pending" });
  expect(asked).toHaveLength(1);
});

test("a database that can't remember costs no mail", async () => {
  takeOwnAddressAlone();
  const { pool, now, log } = outbox;
  const broken = {
    query: (text: string, values: unknown[]) =>
      text.includes("INSERT INTO mail_return_path")
        ? Promise.reject(new Error("away"))
        : pool.query(text, values),
  } as unknown as typeof pool;
  await outbox.mail.queue(pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
  const returnPath = createReturnPath({ pool: broken, server: "s", wanted: "verp", now, log });
  await sendDue(outbox.toDeps(transport, { returnPath }));
  expect(await outbox.readRows()).toMatchObject([{ status: "sent" }]);
  expect(log.lines.join("\n")).toContain("could not be written down");
});

test.each([
  ["mailbox", {}, "return_path_mailbox"],
  ["folder", { MAIL_MAILDIR: "mail" }, "return_path_folder"],
  ["provider", { POSTMARK_WEBHOOK: "post:a-password-that-is-long-enough-for-it" }, "return_path_webhooks"],
])("the health page says it, and by which way reports still come: %s", async (_way, settings, reason) => {
  takeOwnAddressAlone();
  const { pool, now } = outbox;
  const log = pino({ level: "silent" });
  const dataDir = await mkdtemp(join(tmpdir(), "foyer-return-path-"));
  const config = parseConfig({
    SMTP_URL: sink.url,
    PUBLIC_URL: "https://site.test",
    MAIL_FROM: OWN,
    FOYER_DATA_DIR: dataDir,
    ...settings,
  });
  const open = (more = {}) =>
    openMailDeps({ config: { ...config, ...more }, pool, log, now, getOrigin: () => "https://site.test" });
  const mail = await open();
  expect(await mail.checkReturnPath()).toEqual({ status: "healthy" });
  await outbox.mail.queue(pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
  await sendDue(mail.worker);
  expect(await mail.checkReturnPath()).toMatchObject({
    status: "warning",
    reason,
    vars: { address: OWN, answer: expect.stringContaining("5.7.60") },
  });
  const settled = await open({ mailReturnPath: "sender" });
  expect(await settled.checkReturnPath()).toEqual({ status: "healthy" });
  for (const { worker } of [mail, settled]) await worker.transport.close();
  await rm(dataDir, { recursive: true });
});
