import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type MailSink, openMailSink } from "#test/mail-sink.ts";
import { createSmtpTransport } from "./smtp-transport.ts";
import { openTestOutbox, sendDue, type TestOutbox } from "./test-outbox.ts";

let outbox: TestOutbox;
let sink: MailSink;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(() => outbox.empty());
afterEach(() => sink.close());

async function send(url: string): Promise<void> {
  const transport = createSmtpTransport(url);
  await sendDue(outbox.toParts(transport));
  await transport.close();
}

test.each([530, 550, 553])(
  "a %d to the sender costs no mail: it goes once the settings are right",
  async (status) => {
    sink = await openMailSink();
    await outbox.mail.queue(outbox.pool, outbox.buildCode());
    sink.answerSender = () => ({ status, text: "5.7.1 Sender address rejected" });
    await send(sink.url);
    expect(await outbox.readRows()).toMatchObject([
      { status: "pending", response: expect.stringContaining(String(status)) },
    ]);
    sink.answerSender = () => undefined;
    outbox.clock.now += 60_000;
    await send(sink.url);
    expect(await outbox.readRows()).toMatchObject([{ status: "sent" }]);
  },
);

test("a certificate that nobody signed is taken only where the address says so", async () => {
  sink = await openMailSink({ isSecure: true });
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await send(sink.url);
  expect(sink.mails).toEqual([]);
  expect(await outbox.readRows()).toMatchObject([{ status: "pending" }]);
  outbox.clock.now += 60_000;
  await send(`${sink.url}?tls.rejectUnauthorized=false`);
  expect(sink.accepted).toHaveLength(1);
});

test("Amazon's id of a mail is kept, though it ends in six digits as a code does; other six digits are not", async () => {
  sink = await openMailSink();
  const id = "0107019a-4f12-4000-8000-0123456789ab-000000";
  for (const text of [`Ok ${id}`, "Ok queued, subject: 271828 is your code"]) {
    sink.answer = () => ({ kind: "accept", text });
    await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });
    await send(sink.url);
  }
  const { rows } = await outbox.pool.query(
    "SELECT provider_id, diagnostic FROM mail_event WHERE kind = 'sent' ORDER BY id",
  );
  expect(rows).toEqual([
    { provider_id: id, diagnostic: `250 Ok ${id}` },
    { provider_id: null, diagnostic: "250 Ok queued, subject: •••••• is your code" },
  ]);
});
