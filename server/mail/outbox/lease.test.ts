import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { until } from "#test/until.ts";
import { renewLeases } from "./lease-store.ts";
import { openTestOutbox, type TestOutbox } from "./test-outbox.ts";
import type { MailTransport } from "./transports.ts";
import { createOutboxWorker, type WorkerDeps } from "./worker.ts";

let outbox: TestOutbox;
beforeAll(async () => {
  outbox = await openTestOutbox();
});
afterAll(() => outbox.close());
beforeEach(() => outbox.empty());

const LEASE_MS = 10_000;

const toTransport = (deliver: MailTransport["deliver"]): MailTransport => ({
  deliver,
  close: async () => {},
});
const queueTest = () =>
  outbox.mail.queue(outbox.pool, { kind: "test", recipient: "ada@foyer.example", language: "en" });

test("what a process is still sending it doesn't take again, even when the lease is over", async () => {
  await queueTest();
  let finish: (() => void) | undefined;
  const slow = createOutboxWorker(
    outbox.toDeps({
      close: async () => {},
      deliver: () =>
        new Promise((resolve) => {
          finish = () => resolve("250 ok");
        }),
    }),
  );
  slow.begin(await slow.lease(outbox.pool));
  await until(() => finish !== undefined);
  outbox.clock.now += LEASE_MS;
  expect(await slow.lease(outbox.pool)).toEqual([]);
  finish?.();
  await slow.settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 1 }]);
});

test("a delivery that takes longer than a lease stays its process's own", async () => {
  await queueTest();
  let finish: (() => void) | undefined;
  const deliver = () =>
    new Promise<string>((resolve) => {
      finish = () => resolve("250 ok");
    });
  const [slow, other] = [
    createOutboxWorker({ ...outbox.toDeps({ deliver, close: async () => {} }), renewEveryMs: 20 }),
    createOutboxWorker(outbox.toDeps(toTransport(async () => "250 other"))),
  ];
  slow.begin(await slow.lease(outbox.pool));
  await until(() => finish !== undefined);
  outbox.clock.now += LEASE_MS - 1_000;
  const isRenewed = async () => {
    const [row] = await outbox.readRows();
    return new Date(String(row?.next_attempt_at)).getTime() === outbox.clock.now + LEASE_MS;
  };
  await until(isRenewed);
  outbox.clock.now += LEASE_MS - 1_000;
  expect(await other.lease(outbox.pool)).toEqual([]);
  finish?.();
  await slow.settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 1 }]);
});

describe("a process that stood still between lease and hand-over", () => {
  /** A mail that is leased by a process, which waits before it hands it over. */
  async function standStill(steadyMs: () => number, more: Partial<WorkerDeps> = {}) {
    await queueTest();
    const sent: string[] = [];
    const toSender = (name: string) =>
      toTransport(async () => {
        sent.push(name);
        return `250 ${name}`;
      });
    const wakes = Promise.withResolvers<void>();
    const waits = Promise.withResolvers<void>();
    const deps = outbox.toDeps(toSender("stalled"));
    const stalled = createOutboxWorker({
      ...deps,
      isShared: true,
      steadyMs,
      ...more,
      site: {
        ...deps.site,
        async getOwner(language) {
          waits.resolve();
          await wakes.promise;
          return deps.site.getOwner(language);
        },
      },
    });
    stalled.begin(await stalled.lease(outbox.pool));
    await waits.promise;
    return {
      sent,
      async sendByOther() {
        const other = createOutboxWorker({ ...outbox.toDeps(toSender("other")), isShared: true });
        other.begin(await other.lease(outbox.pool));
        await other.settle();
      },
      async wake() {
        wakes.resolve();
        await stalled.settle();
      },
    };
  }

  test("sends nothing once another one has sent the mail, also where all its clocks stood still", async () => {
    const before = outbox.clock.now;
    const process = await standStill(() => 0, { now: () => new Date(before) });
    outbox.clock.now += LEASE_MS;
    await process.sendByOther();
    await process.wake();
    expect(process.sent).toEqual(["other"]);
    expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 2, response: "250 other" }]);
  });

  const AGE_MS = LEASE_MS - 1_000;
  test.each(["the steady clock", "the clock on the wall", "the database's clock"])(
    "sends nothing when its lease is old by %s: another one may take the mail in this moment",
    async (clock) => {
      let steadyMs = 0;
      const before = outbox.clock.now;
      let [wallMs, aheadMs] = [before, 0];
      const pool = {
        ...outbox.pool,
        async query(...args: [string, unknown[]]) {
          const answer = await outbox.pool.query(...args);
          for (const row of answer.rows)
            if (row.at) row.at = new Date(Date.parse(row.at) + aheadMs).toISOString();
          return answer;
        },
      } as unknown as typeof outbox.pool; // a worker only queries
      const process = await standStill(() => steadyMs, { now: () => new Date(wallMs), pool });
      if (clock === "the steady clock") steadyMs += AGE_MS;
      else if (clock === "the clock on the wall") wallMs += AGE_MS;
      else aheadMs += AGE_MS;
      await process.wake();
      expect(process.sent).toEqual([]);
      expect(await outbox.readRows()).toMatchObject([{ status: "sending", attempts: 1, response: null }]);
    },
  );
});

test.each([
  ["is refused", () => Promise.reject(new Error("away"))],
  ["gets no answer", () => new Promise(() => undefined)],
])(
  "a delivery whose renewal %s is cut off before another process may begin, and says nothing",
  async (_what, fail) => {
    await queueTest();
    let steadyMs = 0;
    let isAway = false;
    const pool = {
      query: (...args: [string]) => (isAway ? fail() : outbox.pool.query(...args)),
    } as unknown as typeof outbox.pool; // a worker only queries
    const begun = Promise.withResolvers<void>();
    const deliver: MailTransport["deliver"] = ({ signal }) =>
      new Promise((_resolve, reject) => {
        signal?.addEventListener("abort", () => reject(signal.reason));
        begun.resolve();
      });
    const cut = createOutboxWorker({
      ...outbox.toDeps(toTransport(deliver), { pool }),
      isShared: true,
      steadyMs: () => steadyMs,
      renewEveryMs: 5,
    });
    cut.begin(await cut.lease(outbox.pool));
    await begun.promise;
    isAway = true;
    steadyMs += LEASE_MS - 1_000;
    await cut.settle();
    expect(await outbox.readRows()).toMatchObject([{ status: "sending", attempts: 1, response: null }]);
    outbox.clock.now += LEASE_MS;
    const other = createOutboxWorker(outbox.toDeps(toTransport(async () => "250 other")));
    other.begin(await other.lease(outbox.pool));
    await other.settle();
    expect(await outbox.readRows()).toMatchObject([{ status: "sent", attempts: 2 }]);
  },
);

test("a process that lost a mail to another one doesn't renew that one's lease", async () => {
  await queueTest();
  const worker = createOutboxWorker(outbox.toDeps(toTransport(async () => "250 ok")));
  const [first] = await worker.lease(outbox.pool);
  outbox.clock.now += LEASE_MS;
  const [second] = await worker.lease(outbox.pool);
  if (!first || !second) throw new Error("it was not leased twice");
  const renew = ({ id, attempts }: typeof first) =>
    renewLeases(outbox.pool, [{ id, attempts }], new Date(outbox.clock.now));
  expect([...(await renew(first)).keys()]).toEqual([]);
  expect([...(await renew(second)).keys()]).toEqual([second.id]);
});

/** One worker's delivery outlasts its lease, and another one takes the mail. Each ends when the test lets it. */
async function takeTwice() {
  await queueTest();
  const ends: { resolve(response: string): void; reject(error: Error): void }[] = [];
  const transport = toTransport(
    () => new Promise<string>((resolve, reject) => void ends.push({ resolve, reject })),
  );
  const workers = [
    createOutboxWorker(outbox.toDeps(transport)),
    createOutboxWorker(outbox.toDeps(transport)),
  ] as const;
  for (const [index, worker] of workers.entries()) {
    worker.begin(await worker.lease(outbox.pool));
    await until(() => ends.length > index);
    outbox.clock.now += LEASE_MS;
  }
  const [first, second] = ends;
  if (!first || !second) throw new Error("it was not taken twice");
  return { workers, first, second };
}

test.each([
  ["451", { responseCode: 451 }],
  ["lost connection", { code: "ESOCKET" }],
])("a %s that the first of two leases receives says nothing of the second", async (text, fault) => {
  const { workers, first, second } = await takeTwice();
  first.reject(Object.assign(new Error(text), fault));
  await workers[0].settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sending", attempts: 2, response: null }]);
  second.resolve("250 second");
  await workers[1].settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 second" }]);
});

test("a 250 that the first of two leases receives holds, whatever the second one receives", async () => {
  const { workers, first, second } = await takeTwice();
  first.resolve("250 first");
  await workers[0].settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 first" }]);
  second.reject(new Error("451 later"));
  await workers[1].settle();
  expect(await outbox.readRows()).toMatchObject([{ status: "sent", response: "250 first" }]);
});

test.each([
  ["password_changed", 10, 10, "sent"],
  ["password_changed", 10, 999, "sent"],
  ["password_changed", 999, 10, "suppressed"],
  ["room_entered", 10, 10, "suppressed"],
] as const)(
  "a %s mail that staff of level %d stopped, to who has level %d by now, is %s",
  async (kind, author, level, status) => {
    const { pool } = outbox;
    const setLevel = (username: string, to: number) =>
      pool.query(
        `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified)
         SELECT $1, $1 || '@foyer.example', 'x', id, true FROM access_level WHERE level = $2
         ON CONFLICT (lower(username)) DO UPDATE SET access_level_id = excluded.access_level_id`,
        [username, to],
      );
    await setLevel("stopper", author);
    await setLevel("stopped", level);
    await pool.query(
      `INSERT INTO mail_suppression (address, scope, reason, source, created_by_id)
       SELECT 'stopped@foyer.example', 'all', 'x', 'admin', id FROM account_user WHERE username = 'stopper'`,
    );
    const person = { recipient: "stopped@foyer.example", language: "en", userId: outbox.userId } as const;
    const at = new Date(outbox.clock.now).toISOString();
    const later = new Date(outbox.clock.now + LEASE_MS).toISOString();
    await outbox.mail.queue(
      pool,
      kind === "password_changed"
        ? { kind, ...person, username: "stopped", at }
        : {
            kind,
            ...person,
            username: "stopped",
            roomName: "Hall",
            roomSlug: "hall",
            newcomerName: "eve",
            expiresAt: later,
          },
    );
    const worker = createOutboxWorker(outbox.toDeps(toTransport(async () => "250 ok")));
    worker.begin(await worker.lease(pool));
    await worker.settle();
    expect(await outbox.readRows()).toMatchObject([{ status }]);
  },
);
