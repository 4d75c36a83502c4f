import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { notifyChange } from "../db/change-notices.ts";
import { CODE, openTestOutbox, type TestOutbox } from "./outbox/test-outbox.ts";
import { deleteOldMail } from "./retention.ts";

let outbox: TestOutbox;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(() => outbox.empty());

const DAY_MS = 24 * 60 * 60 * 1000;

test("a mail of a transaction that is rolled back was never queued", async () => {
  const failing = withTransaction(outbox.pool, async (client) => {
    await outbox.mail.queue(client, outbox.buildCode());
    throw new Error("no");
  });
  await expect(failing).rejects.toThrow("no");
  expect(await outbox.readRows()).toEqual([]);
});

test("a code stands encrypted in its own column and nowhere else", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  const [row] = await outbox.readRows();
  expect(JSON.stringify(row)).not.toContain(CODE);
  expect(row).toMatchObject({ vars: { username: "ada" }, user_id: outbox.userId, status: "pending" });
  expect(outbox.secrets.open(String(row?.token), String(row?.secret))).toBe(CODE);
});

test("a code that was sealed for one message can't be read as another's", async () => {
  const sealed = outbox.secrets.seal("a", CODE);
  expect(() => outbox.secrets.open("b", sealed)).toThrow();
  expect(outbox.secrets.seal("a", CODE)).not.toBe(sealed);
});

test("the Message-ID ends with the sender's domain and doesn't show the token", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  const [row] = await outbox.readRows();
  expect(row?.token).toMatch(/^[0-9a-f]{24}$/);
  expect(row?.message_id).toMatch(/^<[0-9a-f]{24}@foyer\.example>$/);
  expect(row?.message_id).not.toContain(row?.token);
});

test("a newer code takes the place of one that still waits for the same address", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode("ada@foyer.example", "111111"));
  await outbox.mail.queue(outbox.pool, outbox.buildCode("Ada@foyer.example", "222222"));
  await outbox.mail.queue(outbox.pool, outbox.buildCode("eve@foyer.example", "333333"));
  expect(await outbox.readRows()).toMatchObject([
    { status: "expired", secret: null },
    { status: "pending" },
    { status: "pending" },
  ]);
});

test("a code of another kind is left alone", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  const { userId, clock } = outbox;
  const expiresAt = new Date(clock.now + 600_000).toISOString();
  const to = { recipient: "ada@foyer.example", language: "en", userId, username: "ada" } as const;
  await outbox.mail.queue(outbox.pool, { kind: "password_reset", ...to, code: "222222", expiresAt });
  expect(await outbox.readRows()).toMatchObject([
    { kind: "verification_code", status: "pending", secret: expect.any(String) },
    { kind: "password_reset", status: "pending" },
  ]);
});

test("an address gets one acknowledgement a day, however it is written", async () => {
  const contactMessageId = await outbox.insertContactMessage();
  const acknowledge = (recipient: string) =>
    outbox.mail.queue(outbox.pool, {
      kind: "contact_acknowledgement",
      recipient,
      language: "tr",
      contactMessageId,
    });
  await acknowledge("isil@foyer.example");
  await acknowledge("ISIL@foyer.example");
  await acknowledge("ali@foyer.example");
  expect(await outbox.readRows()).toHaveLength(2);
  outbox.clock.now += DAY_MS;
  await acknowledge("isil@foyer.example");
  const rows = await outbox.readRows();
  expect(rows).toHaveLength(3);
  expect(rows.map(({ dedupe_key }) => String(dedupe_key)).join()).not.toMatch(/isil|ali/i);
});

test("a deleted account's mails stay as rows without the person, and what waits is not sent", async () => {
  const { pool, userId } = outbox;
  await outbox.mail.queue(pool, outbox.buildCode());
  await pool.query("UPDATE mail_message SET status = 'sent', response = '250 <ada@foyer.example> ok'");
  await outbox.mail.queue(pool, outbox.buildCode());
  await outbox.mail.forgetPerson(pool, { userId, addresses: [] });
  const rows = await outbox.readRows();
  const blank = { recipient: "", vars: {}, secret: null, user_id: null };
  expect(rows).toMatchObject([
    { ...blank, status: "sent", response: null },
    { ...blank, status: "failed", response: "The account was deleted before this was sent." },
  ]);
  // Random tokens are hexadecimal, and may hold these letters by chance.
  expect(JSON.stringify(rows)).not.toMatch(/(?<![0-9a-f])ada/);
});

test("mails of nobody's account to a deleted person's address lose it too, those of another account don't", async () => {
  const { pool, mail } = outbox;
  const contactMessageId = await outbox.insertContactMessage("forgotten");
  const acknowledge = (recipient: string) =>
    mail.queue(pool, { kind: "contact_acknowledgement", recipient, language: "en", contactMessageId });
  await acknowledge("Gone@foyer.example");
  await acknowledge("eve@foyer.example");
  await mail.queue(pool, outbox.buildCode("gone@foyer.example"));
  await mail.forgetPerson(pool, { userId: 0, addresses: ["gone@foyer.example"] });
  const recipients = (await outbox.readRows()).map(({ recipient }) => recipient);
  expect(recipients).toEqual(["", "eve@foyer.example", "gone@foyer.example"]);
});

test("a person who is taken out of mails is published at the commit", async () => {
  const { pool, mail, userId } = outbox;
  const feed = await openChangeFeed(outbox.database.connection, outbox.log);
  const received: (string | undefined)[] = [];
  feed.subscribe((modelKey) => received.push(modelKey));
  await mail.forgetPerson(pool, { userId, addresses: [] });
  await notifyChange(pool, "test.last");
  while (!received.includes("test.last")) await setTimeout(5);
  expect(received).toEqual(["mail.message", "test.last"]);
  await feed.close();
});

test("mails go after a year", async () => {
  const { pool, clock } = outbox;
  await outbox.mail.queue(pool, outbox.buildCode());
  clock.now += 2 * DAY_MS;
  await outbox.mail.queue(pool, outbox.buildCode());
  clock.now += 364 * DAY_MS;
  expect(await deleteOldMail(pool, outbox.now())).toBe(1);
  expect(await outbox.readRows()).toHaveLength(1);
});
