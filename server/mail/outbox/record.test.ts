import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type pg from "pg";
import { openTestOutbox, type QueryCall, sendDue, type TestOutbox, toSql } from "./test-outbox.ts";
import type { MailTransport } from "./transports.ts";
import { createOutboxWorker } from "./worker.ts";

let outbox: TestOutbox;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(() => outbox.empty());

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const LEASE_MS = 10_000;

function toTransport(deliver: MailTransport["deliver"]): MailTransport {
  return { deliver, close: async () => {} };
}
const later = async () => {
  throw Object.assign(new Error("451 <ada@foyer.example> later"), { code: "EENVELOPE", responseCode: 451 });
};
const queueTest = () =>
  outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });

/** A pool whose results can't be written the first `times` times. */
function failToRecord(times: number): pg.Pool {
  let failed = 0;
  return new Proxy(outbox.pool, {
    get(pool, name) {
      if (name !== "query") return Reflect.get(pool, name);
      return async (...call: QueryCall) => {
        if (!/SET status = '(sent|failed|pending)'/.test(toSql(call)) || failed === times)
          return Reflect.apply(pool.query, pool, call);
        failed += 1;
        throw new Error("the database is away");
      };
    },
  });
}

test("a mail server that is away for four days costs no mail, and one that stays away is told of", async () => {
  await queueTest();
  const end = outbox.clock.now + 4 * DAY_MS;
  const parts = outbox.toParts(toTransport(later));
  while (outbox.clock.now < end) {
    await sendDue(parts);
    const [row] = await outbox.readRows();
    expect(row).toMatchObject({ status: "pending" });
    const wait = new Date(String(row?.next_attempt_at)).getTime() - outbox.clock.now;
    expect(wait).toBeLessThanOrEqual(120 * MINUTE_MS);
    outbox.clock.now += wait;
  }
  expect(outbox.log.lines.join()).not.toContain("given up");
  await sendDue(parts);
  const [row] = await outbox.readRows();
  expect(row).toMatchObject({ status: "failed" });
  const told = outbox.log.lines.filter((line) => line.includes("given up")).map((line) => JSON.parse(line));
  expect(told).toEqual([
    {
      id: row?.id,
      kind: "test",
      attempts: row?.attempts,
      fault: "EENVELOPE",
      status: 451,
      message: "a mail is given up",
    },
  ]);
});

test("a result that can't be recorded at once is recorded later, without a second copy", async () => {
  await queueTest();
  let copies = 0;
  const transport = toTransport(async () => `250 copy ${++copies}`);
  const pauses: number[] = [];
  const pause = async (ms: number) => {
    pauses.push(ms);
    outbox.clock.now += LEASE_MS;
  };
  const parts = outbox.toParts(transport, { pool: failToRecord(7), pause });
  const worker = createOutboxWorker(parts);
  worker.begin(await worker.claim(outbox.pool));
  await worker.settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 copy 1", attempts: 1 }]);
  expect(pauses).toEqual(Array(7).fill(1_000));
  expect(outbox.log.lines.filter((line) => line.includes("could not be recorded yet"))).toHaveLength(7);
});

test("while its result waits to be recorded a mail is not taken again by its own process", async () => {
  await queueTest();
  const taken: number[] = [];
  const parts = outbox.toParts(
    toTransport(async () => "250 ok"),
    {
      pool: failToRecord(1),
      pause: async () => {
        outbox.clock.now += LEASE_MS;
        taken.push((await worker.claim(outbox.pool)).length);
      },
    },
  );
  const worker = createOutboxWorker(parts);
  worker.begin(await worker.claim(outbox.pool));
  await worker.settle();
  expect(taken).toEqual([0]);
});

test("a result that is never recorded is told of, and the mail is sent again", async () => {
  await queueTest();
  let copies = 0;
  const transport = toTransport(async () => `250 copy ${++copies}`);
  const worker = createOutboxWorker(
    outbox.toParts(transport, { pool: failToRecord(8), pause: async () => {} }),
  );
  worker.begin(await worker.claim(outbox.pool));
  await worker.settle();
  expect(outbox.log.lines.at(-1)).toContain("is not recorded");
  expect(await outbox.readRows()).toMatchObject([{ status: "sending" }]);
  outbox.clock.now += LEASE_MS;
  await sendDue(outbox.toParts(transport));
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 copy 2" }]);
});
