import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ChangeFeed, openChangeFeed, type RowChange } from "#server/db/changes.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { openTestOutbox, type TestOutbox } from "./test-outbox.ts";
import { MailRefusedError, type Parcel } from "./transport.ts";

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
  // As when the feed's connection is back.
  await outbox.pool.query("SELECT pg_notify('foyer_changed', '')");
  await until(isDone);
});

const refuse = () => Promise.reject(new MailRefusedError("550 no"));
const fail = () => Promise.reject(new Error("421 later"));
test.each<[string, string, typeof answer, string, number]>([
  ["that is sent", "sent", async () => "250 ok", "", 2],
  ["that is refused", "failed", refuse, "", 2],
  ["that is put off", "pending", fail, "", 2],
  ["that is not sent any more", "expired", fail, "UPDATE mail_message SET expires_at = next_attempt_at", 1],
])("a mail %s is told by its number, at each step", async (_what, status, deliver, sql, steps) => {
  const heard: RowChange[] = [];
  answer = async (parcel) => {
    // Long enough for two notices.
    await new Promise((resolve) => setTimeout(resolve, 60));
    return deliver(parcel);
  };
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  if (sql) await outbox.pool.query(sql);
  feed.subscribeRows((modelKey, change) => {
    if (modelKey === "mail.message" && !change.isMany) heard.push(change);
  });
  process.start();
  await until(() => heard.length >= steps);
  const [row] = await outbox.readRows();
  expect(row?.status).toBe(status);
  expect(heard).toEqual(Array(steps).fill({ type: "updated", ids: [row?.id], isMany: false }));
});

test("what it tells wakes no outbox", async () => {
  let looks = 0;
  const pool = new Proxy(outbox.pool, {
    get(real, name) {
      if (name !== "query") return Reflect.get(real, name);
      return (text: string, values: unknown[]) => {
        if (text.includes("SKIP LOCKED")) looks += 1;
        return real.query(text, values);
      };
    },
  });
  const transport = { deliver: async () => "250 ok", close: async () => {} };
  const other = createOutbox({ ...outbox.toParts(transport, { pool }), feed });
  other.start();
  await until(() => looks === 1);
  let told = 0;
  feed.subscribeRows((modelKey, { isMany }) => {
    if (modelKey === "mail.message" && !isMany) told += 1;
  });
  process.start();
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await until(async () => told > 0 && (await isDone()));
  await new Promise((resolve) => setTimeout(resolve, 200));
  // For the mail, and once more for the room that it left if it was the one that sent it.
  expect(looks).toBeLessThanOrEqual(3);
  await other.close();
});

test("what its last mail came to is told before it stops", async () => {
  const heard: RowChange[] = [];
  feed.subscribeRows((modelKey, change) => {
    if (modelKey === "mail.message" && !change.isMany) heard.push(change);
  });
  answer = async () => {
    await new Promise((resolve) => setTimeout(resolve, 300));
    return "250 ok";
  };
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  process.start();
  await until(() => heard.length === 1);
  await process.close();
  await until(() => heard.length === 2);
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
