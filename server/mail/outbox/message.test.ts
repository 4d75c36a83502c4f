import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { getHeader, type MailSink, openMailSink } from "#test/mail-sink.ts";
import type { composeMail } from "../compose.ts";
import { createMailSecrets } from "../secrets.ts";
import { buildMessage, countUnreadable } from "./message.ts";
import { openTestOutbox, sendDue, type TestOutbox } from "./test-outbox.ts";
import { createSmtpTransport, type MailTransport } from "./transports.ts";
import type { WorkerDeps } from "./worker.ts";

let outbox: TestOutbox;
let sink: MailSink;
let transport: MailTransport;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  await outbox.empty();
  sink = await openMailSink({ offersDsn: true });
  transport = createSmtpTransport(sink.url);
});
afterEach(async () => {
  await transport.close();
  await sink.close();
});

/** Sends what waits and gives what arrived. */
async function receive(more: Partial<WorkerDeps> = {}) {
  await sendDue(outbox.toDeps(transport, more));
  const [mail] = sink.accepted;
  if (!mail) throw new Error("nothing arrived");
  const [row] = await outbox.readRows();
  return { mail, token: String(row?.token), reportToken: String(row?.report_token) };
}

const acknowledge = async () =>
  outbox.mail.queue(outbox.pool, {
    kind: "contact_acknowledgement",
    recipient: "isil@foyer.example",
    language: "tr",
    contactMessageId: await outbox.insertContactMessage(`c${Math.random()}`),
  });

test("a code says who it is from, that a machine wrote it, and where bounces go", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  const { mail, token, reportToken } = await receive();
  expect(mail.sender).toBe(`back+b-${reportToken}@foyer.example`);
  expect(mail.recipient).toBe("ada@foyer.example");
  expect(mail.dsn).toEqual({ envid: reportToken, ret: "HDRS", notify: "FAILURE,DELAY" });
  expect(mail.content.from).toMatchObject({ name: "Ada's site", address: "site@foyer.example" });
  expect(mail.content.to).toMatchObject([{ address: "ada@foyer.example" }]);
  expect(mail.content.messageId).toMatch(/^<[0-9a-f]{24}@foyer\.example>$/);
  for (const secret of [token, reportToken]) expect(mail.content.messageId).not.toContain(secret);
  // Whoever is passed the link of such a mail can't make a return of it.
  expect(reportToken).not.toBe(token);
  expect(getHeader(mail, "X-Foyer-Message-Id")).toBe(reportToken);
  expect(new Date(mail.content.date ?? "").getTime()).toBe(outbox.clock.now);
  expect(getHeader(mail, "Auto-Submitted")).toBe("auto-generated");
  expect(getHeader(mail, "X-Auto-Response-Suppress")).toBe("All");
  expect(mail.content.html).toContain("<html");
});

test("a mail that people can do without can be stopped with one click, a code can't", async () => {
  await acknowledge();
  const { mail, token } = await receive();
  expect(getHeader(mail, "List-Unsubscribe")).toBe(`<https://site.test/api/mail/unsubscribe/${token}/>`);
  expect(getHeader(mail, "List-Unsubscribe-Post")).toBe("List-Unsubscribe=One-Click");
  await outbox.empty();
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await sendDue(outbox.toDeps(transport));
  const code = sink.accepted[1];
  expect(code && getHeader(code, "List-Unsubscribe")).toBeUndefined();
  expect(code && getHeader(code, "List-Unsubscribe-Post")).toBeUndefined();
});

test("a contact message is answered to its writer", async () => {
  await outbox.mail.queue(outbox.pool, {
    kind: "contact_message",
    recipient: "ada@foyer.example",
    language: "en",
    contactMessageId: await outbox.insertContactMessage(`c${Math.random()}`),
    name: "Işıl, Örnek",
    email: "isil@foyer.example",
    subject: "Hello",
    message: "A text.",
  });
  const { mail } = await receive();
  expect(mail.content.replyTo).toMatchObject([{ name: "Işıl, Örnek", address: "isil@foyer.example" }]);
});

test("no text of a person adds a header or a recipient", async () => {
  const evil = 'x"\r\nBcc: eve@foyer.example\r\nX-Evil: yes\r\n\r\nbody';
  const compose: typeof composeMail = () => ({
    subject: `Hello ${evil}`,
    text: "text",
    html: "<p>text</p>",
    replyTo: { name: evil, address: "isil@foyer.example\r\nX-Evil: yes" },
    canStop: false,
  });
  await outbox.mail.queue(outbox.pool, outbox.buildCode("ada@foyer.example"));
  const from = { name: evil, address: "site@foyer.example" };
  const { mail } = await receive({ compose, sender: { from, bounces: from.address } });
  const names = mail.content.headers.map(({ key }) => key);
  expect(names).not.toContain("bcc");
  expect(names).not.toContain("x-evil");
  expect(sink.mails.map(({ recipient }) => recipient)).toEqual(["ada@foyer.example"]);
  expect(mail.content.text?.trim()).toBe("text");
});

test.each([
  "ada@foyer.example, eve@foyer.example",
  "ada@foyer.example,eve@foyer.example",
  "ada@foyer.example;eve@foyer.example",
  "ada@foyer.example>\r\nRCPT TO:<eve@foyer.example",
  "ada",
])("a recipient that is no single address (%j) gets nothing", async (recipient) => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode(recipient));
  await sendDue(outbox.toDeps(transport));
  expect(sink.mails).toEqual([]);
  expect(await outbox.readRows()).toMatchObject([
    { status: "failed", secret: null, response: "It is incomplete: recipient." },
  ]);
});

test("an envelope has one recipient, whatever stands in the row", () => {
  const recipient = "ada@foyer.example,eve@foyer.example";
  const row = {
    report_token: "t",
    message_id: "<1@foyer.example>",
    created_at: "2026-05-01T10:00:00Z",
    recipient,
  };
  const composed = { subject: "Hello", text: "text", html: "<p>text</p>", canStop: false };
  const sender = { from: { name: "", address: "site@foyer.example" }, bounces: "back@foyer.example" };
  const { envelope } = buildMessage(row, composed, sender, "https://site.test/", "verp");
  expect(envelope?.to).toEqual([{ name: "", address: recipient }]);
});

test("a server without DSN gets the mail all the same", async () => {
  const plain = await openMailSink();
  const toPlain = createSmtpTransport(plain.url);
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await sendDue(outbox.toDeps(toPlain));
  await toPlain.close();
  await plain.close();
  expect(plain.accepted.map(({ dsn }) => dsn)).toEqual([{ envid: null, ret: null, notify: null }]);
});

test("mails whose codes other keys sealed are counted, and none of this site's own", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await acknowledge();
  const { secrets } = outbox.toDeps(transport);
  expect(await countUnreadable(outbox.pool, secrets)).toBe(0);
  expect(await countUnreadable(outbox.pool, createMailSecrets([Buffer.alloc(32, 99)]))).toBe(1);
});
