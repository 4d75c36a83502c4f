import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type ChangeFeed, openChangeFeed } from "#server/db/change-feed.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { orHang, until } from "#test/until.ts";
import type { RowChange } from "../../db/change-notices.ts";
import { createOutbox, type Outbox } from "./outbox.ts";
import { openTestOutbox, type QueryCall, type TestOutbox, toSql } from "./test-outbox.ts";
import { MailRefusedError, type Parcel } from "./transports.ts";

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
  process = createOutbox({ ...outbox.toDeps(transport), feed });
});
afterEach(async () => {
  await process.close();
  await feed.close();
});

const isDone = async () => (await outbox.readRows()).every(({ status }) => status === "sent");

test("what waits is sent at the start", async () => {
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  process.start();
  await until(isDone);
  expect(delivered).toHaveLength(1);
});

test("what a clock that went back put off for weeks is sent at the start", async () => {
  await outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@example.org", language: "en" });
  await outbox.pool.query(
    "UPDATE mail_message SET next_attempt_at = next_attempt_at + interval '45 days', created_at = created_at + interval '45 days'",
  );
  process.start();
  await until(() => delivered.length === 1);
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
  const released = Promise.withResolvers<void>();
  answer = async () => {
    atOnce += 1;
    most = Math.max(most, atOnce);
    await released.promise;
    atOnce -= 1;
    return "250 ok";
  };
  for (let index = 0; index < 20; index += 1)
    await outbox.mail.queue(outbox.pool, outbox.buildCode(`person${index}@foyer.example`));
  process.start();
  await until(() => atOnce === 3);
  await outbox.mail.queue(outbox.pool, outbox.buildCode("person20@foyer.example"));
  expect((await outbox.readRows()).filter(({ status }) => status === "sending")).toHaveLength(3);
  released.resolve();
  await until(isDone);
  expect(delivered).toHaveLength(21);
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
])("a mail %s is published by its number, at each step", async (_what, status, deliver, sql, steps) => {
  const received: RowChange[] = [];
  answer = async (parcel) => {
    await until(() => received.length === 1);
    return deliver(parcel);
  };
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  if (sql) await outbox.pool.query(sql);
  feed.subscribeRows((modelKey, change) => {
    if (modelKey === "mail.message" && !change.isMany) received.push(change);
  });
  process.start();
  await until(() => received.length >= steps);
  const [row] = await outbox.readRows();
  expect(row?.status).toBe(status);
  expect(received).toEqual(Array(steps).fill({ type: "updated", ids: [row?.id], isMany: false }));
});

test("what it publishes wakes no outbox", async () => {
  const [published, queued]: RowChange[][] = [[], []];
  feed.subscribeRows((modelKey, change) => {
    if (modelKey === "mail.message") (change.isMany ? queued : published)?.push(change);
  });
  process.start();
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  await until(async () => published?.length && queued?.length && (await isDone()));

  const looks: Promise<unknown>[] = [];
  const pool = new Proxy(outbox.pool, {
    get(real, name) {
      if (name !== "query") return Reflect.get(real, name);
      return (...call: QueryCall) => {
        const answer = Reflect.apply(real.query, real, call);
        if (toSql(call).includes("next_attempt_at")) looks.push(answer);
        return answer;
      };
    },
  });
  const listeners: ((modelKey: string, change: RowChange) => void)[] = [];
  const stub = {
    subscribe: () => {},
    subscribeRows: (listener: (typeof listeners)[0]) => listeners.push(listener),
  };
  const transport = { deliver: async () => "250 ok", close: async () => {} };
  const other = createOutbox({ ...outbox.toDeps(transport, { pool }), feed: stub });
  const publish = (changes: RowChange[] = []) => {
    for (const change of changes) for (const listener of listeners) listener("mail.message", change);
  };
  other.start();
  // One look is two queries: what can be leased, and when the next one is due. Before the first one comes what a clock put off.
  await until(() => looks.length === 3);
  await Promise.all(looks);
  await new Promise((resolve) => setImmediate(resolve));
  publish(published);
  expect(looks).toHaveLength(3);
  publish(queued);
  expect(looks).toHaveLength(4);
  await other.close();
});

test("what its last mail came to is published before it stops", async () => {
  const received: RowChange[] = [];
  feed.subscribeRows((modelKey, change) => {
    if (modelKey === "mail.message" && !change.isMany) received.push(change);
  });
  const sent = Promise.withResolvers<string>();
  answer = () => sent.promise;
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  process.start();
  await until(() => received.length === 1);
  const closed = process.close();
  sent.resolve("250 ok");
  await closed;
  await until(() => received.length === 2);
});

test("a stop waits for what is being sent, and takes nothing more", async () => {
  // A row is "sending" a moment before the server is asked.
  const sent = Promise.withResolvers<string>();
  answer = () => sent.promise;
  let hasPublished = false;
  feed.subscribeRows((modelKey) => {
    hasPublished ||= modelKey === "mail.message";
  });
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  // A notice that comes later would make the outbox look once more, and that look may be under way at the stop.
  await until(() => hasPublished);
  process.start();
  await until(async () => (await outbox.readRows())[0]?.status === "sending");
  const closed = process.close();
  await outbox.mail.queue(outbox.pool, outbox.buildCode("eve@foyer.example"));
  sent.resolve("250 ok");
  await closed;
  expect(await outbox.readRows()).toMatchObject([{ status: "sent" }, { status: "pending" }]);
});

test("a stop ends within its patience though the mail server never answers", async () => {
  const isCut: boolean[] = [];
  const transport = {
    deliver: () => new Promise<string>(() => {}),
    close: async () => void isCut.push(true),
  };
  const stuck = createOutbox({ ...outbox.toDeps(transport), feed, closePatienceMs: 50 });
  await outbox.mail.queue(outbox.pool, outbox.buildCode());
  stuck.start();
  await until(async () => (await outbox.readRows())[0]?.status === "sending");
  // Only its patience ends it: nobody answers the delivery.
  await orHang(stuck.close());
  expect(isCut).toEqual([true]);
});

test("a stop ends within its patience though the database never answers", async () => {
  const transport = { deliver: async () => "250 ok", close: async () => {} };
  const pool = new Proxy(outbox.pool, {
    get: (real, name) => (name === "query" ? () => new Promise(() => {}) : Reflect.get(real, name)),
  });
  const stuck = createOutbox({ ...outbox.toDeps(transport, { pool }), feed, closePatienceMs: 50 });
  stuck.start();
  await orHang(stuck.close());
});
