import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ChangeFeed, openChangeFeed } from "#server/db/changes.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { openTestOutbox, type TestOutbox } from "./test-outbox.ts";
import type { Parcel } from "./transport.ts";

let outbox: TestOutbox;
let feed: ChangeFeed;
let process: Outbox;
let delivered: string[];
let answer: (parcel: Parcel) => Promise<string>;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(async () => {
  await outbox.empty();
  delivered = [];
  answer = async () => "250 ok";
  feed = await openChangeFeed(outbox.database.connection, outbox.log);
  const transport = {
    deliver: async (parcel: Parcel) => {
      const response = await answer(parcel);
      delivered.push(String(parcel.message.messageId));
      return response;
    },
    close: async () => {},
  };
  process = createOutbox({ ...outbox.toParts(transport), feed });
});
afterEach(async () => {
  await process.close();
  await feed.close();
});

async function until(isTrue: () => boolean | Promise<boolean>): Promise<void> {
  const end = Date.now() + 5_000;
  while (!(await isTrue())) {
    if (Date.now() > end) throw new Error("it did not happen");
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
const isDone = async () => (await outbox.readRows()).every(({ status }) => status === "sent");

test("what waits is sent at the start", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  process.start();
  await until(isDone);
  expect(delivered).toHaveLength(1);
});

test("a commit wakes it, and not before", async () => {
  process.start();
  await withTransaction(outbox.pool, async (client) => {
    await outbox.mail.queue(client, outbox.buildCode());
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(delivered).toEqual([]);
  });
  await until(() => delivered.length === 1);
});

test("many mails are sent a few at a time", async () => {
  let atOnce = 0;
  let most = 0;
  answer = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await new Promise((resolve) => setTimeout(resolve, 10));
    atOnce -= 1;
    return "250 ok";
  };
  for (let index = 0; index < 20; index += 1)
    await outbox.mail.queue(outbox.pool, outbox.buildCode(`person${index}@foyer.example`));
  process.start();
  await until(isDone);
  expect(delivered).toHaveLength(20);
  expect(most).toBe(3);
});

test("a retry is sent when its time comes, without any notice", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  const due = new Date(outbox.clock.now + 1_200);
  await outbox.pool.query("UPDATE mail_message SET next_attempt_at = $1", [due]);
  process.start();
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(delivered).toEqual([]);
  outbox.clock.now = due.getTime();
  await until(isDone);
});

test("a database that fails stops nothing for good", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await outbox.pool.query("ALTER TABLE mail_suppression RENAME TO mail_suppression_away");
  process.start();
  await until(() => outbox.log.lines.some((line) => line.includes("could not be read")));
  expect(delivered).toEqual([]);
  await outbox.pool.query("ALTER TABLE mail_suppression_away RENAME TO mail_suppression");
  // As the feed does when its connection is back.
  feed.announce("mail.message");
  await until(isDone);
});

test("a stop waits for what is being sent, and takes nothing more", async () => {
  let finish = () => {};
  answer = () =>
    new Promise((resolve) => {
      finish = () => resolve("250 ok");
    });
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  process.start();
  await until(async () => (await outbox.readRows())[0]?.status === "sending");
  const closed = process.close();
  await outbox.mail.queue(outbox.pool, outbox.buildCode("eve@foyer.example"));
  setTimeout(() => finish(), 50);
  await closed;
  expect(await outbox.readRows()).toMatchObject([{ status: "sent" }, { status: "pending" }]);
});

test("a stop ends within its patience though the mail server never answers", async () => {
  const isCut: boolean[] = [];
  const transport = {
    deliver: () => new Promise<string>(() => {}),
    close: async () => void isCut.push(true),
  };
  const stuck = createOutbox({ ...outbox.toParts(transport), feed, closePatienceMs: 50 });
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  stuck.start();
  await until(async () => (await outbox.readRows())[0]?.status === "sending");
  const begin = Date.now();
  await stuck.close();
  expect(Date.now() - begin).toBeLessThan(4_000);
  expect(isCut).toEqual([true]);
});

test("a stop ends within its patience though the database never answers", async () => {
  const transport = { deliver: async () => "250 ok", close: async () => {} };
  const pool = new Proxy(outbox.pool, {
    get: (real, name) => (name === "query" ? () => new Promise(() => {}) : Reflect.get(real, name)),
  });
  const stuck = createOutbox({ ...outbox.toParts(transport, { pool }), feed, closePatienceMs: 50 });
  stuck.start();
  const begin = Date.now();
  await stuck.close();
  expect(Date.now() - begin).toBeLessThan(4_000);
});
