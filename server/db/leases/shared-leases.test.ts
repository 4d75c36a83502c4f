import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { until } from "#test/until.ts";
import type { Queryable } from "../pool.ts";
import { createLocalLeases, type Leases } from "./lease.ts";
import { deleteOldLeases } from "./lease-store.ts";
import { createSharedLeases } from "./shared-leases.ts";
import { openTestHolder } from "./test-holder.ts";

let database: TestDatabase;
let steadyMs: number;
let wallMs: number;
let open: Leases[];
beforeEach(async () => {
  database = await createTestDatabase();
  [steadyMs, wallMs] = [0, 0];
  open = [];
});
afterEach(async () => {
  for (const leases of open) await leases.close();
  await database.close();
});

function openLeases(db: Queryable = database.pool): Leases {
  const leases = createSharedLeases({
    db,
    processId: randomUUID(),
    steadyMs: () => steadyMs,
    now: () => new Date(wallMs),
    log: { warn: () => {} },
  });
  open.push(leases);
  return leases;
}

/** As if so much time had passed in the database since the leases were renewed. */
const passInDatabase = (seconds: number) =>
  database.pool.query("UPDATE work_lease SET expires_at = expires_at - $1 * interval '1 second'", [seconds]);

test("work is one process's, which keeps it as long as it renews, and another one's once it doesn't", async () => {
  const [a, b] = [openLeases(), openLeases()];
  const gains: string[] = [];
  const ofA = a.keep("sweeping", () => gains.push("a"));
  const ofB = b.keep("sweeping", () => gains.push("b"));
  await a.renew();
  await b.renew();
  for (const _ of [1, 2, 3]) {
    await passInDatabase(10);
    await a.renew();
    await b.renew();
  }
  expect([ofA.isMine(), ofB.isMine()]).toEqual([true, false]);
  const { signal } = ofA;
  await passInDatabase(16);
  await b.renew();
  await a.renew();
  expect([ofA.isMine(), ofB.isMine()]).toEqual([false, true]);
  expect(signal.aborted).toBe(true);
  expect(gains).toEqual(["a", "b"]);
});

test("many processes that take the same at once: one has it", async () => {
  const all = Array.from({ length: 8 }, () => openLeases());
  const kept = all.map((leases) => leases.keep("sweeping"));
  const claims = await Promise.all([
    ...all.map(async (leases) => void (await leases.renew())),
    ...all.map((leases) => leases.claim("one job")),
  ]);
  expect(kept.filter((duty) => duty.isMine())).toHaveLength(1);
  expect(claims.filter((claim) => claim)).toHaveLength(1);
});

test("what a process gives up, and all of one that stops, is free at once", async () => {
  const [a, b] = [openLeases(), openLeases()];
  const [ofA, ofB] = [a.keep("sweeping"), b.keep("sweeping")];
  await a.renew();
  const job = await a.claim("job 1");
  expect(await b.claim("job 1")).toBeUndefined();
  expect(await a.claim("job 1")).toBeUndefined();
  await job?.giveUp();
  expect(job?.isHeld()).toBe(false);
  expect((await b.claim("job 1"))?.isHeld()).toBe(true);
  await a.close();
  expect(ofA.isMine()).toBe(false);
  await b.renew();
  expect(ofB.isMine()).toBe(true);
});

test.each(["the steady clock", "the clock on the wall"])(
  "a holder that couldn't renew stops to believe before others may take over, by %s, from before it asked",
  async (clock) => {
    let isSlow = false;
    const slow = {
      async query(...args: [string, unknown[]]) {
        const answer = await database.pool.query(...args);
        if (isSlow) pass(5_000);
        return answer;
      },
    } as Queryable;
    const pass = (ms: number) => {
      if (clock === "the steady clock") steadyMs += ms;
      else wallMs += ms;
    };
    const leases = openLeases(slow);
    const duty = leases.keep("sweeping");
    const claim = await leases.claim("job 1");
    isSlow = true;
    await leases.renew();
    expect([duty.isMine(), claim?.isHeld()]).toEqual([true, true]);
    pass(6_999);
    expect([duty.isMine(), claim?.isHeld()]).toEqual([true, true]);
    pass(1);
    expect([duty.isMine(), claim?.isHeld()]).toEqual([false, false]);
  },
);

test("a database that is away ends what isn't renewed, and tells who works; what is kept comes back with it", async () => {
  let isAway = false;
  const db = {
    query: (...args: [string, unknown[]]) =>
      isAway ? Promise.reject(new Error("away")) : database.pool.query(...args),
  } as Queryable;
  const leases = openLeases(db);
  let gains = 0;
  const duty = leases.keep("sweeping", () => gains++);
  await leases.renew();
  const claim = await leases.claim("job 1");
  const { signal } = duty;
  isAway = true;
  await expect(leases.renew()).rejects.toThrow("away");
  expect([duty.isMine(), claim?.isHeld(), signal.aborted]).toEqual([true, true, false]);
  steadyMs += 12_000;
  await expect(leases.renew()).rejects.toThrow("away");
  expect([signal.aborted, claim?.signal.aborted]).toEqual([true, true]);
  isAway = false;
  await leases.renew();
  expect([duty.isMine(), claim?.isHeld(), gains]).toEqual([true, false, 2]);
});

test("a stalled holder that wakes after another one took over leaves no note", async () => {
  const [a, b] = [openLeases(), openLeases()];
  const [ofA, ofB] = [a.keep("sweeping"), b.keep("sweeping")];
  await a.renew();
  expect(await ofA.leave("up to 3")).toBe(true);
  expect(await ofB.leave("up to 9")).toBe(false);
  await passInDatabase(16);
  await b.renew();
  // By its own clocks no time has passed.
  expect(ofA.isMine()).toBe(true);
  expect(await ofA.leave("up to 4")).toBe(false);
  expect(await ofB.read()).toBe("up to 3");
});

test("a lease from before the database's clock went back keeps nobody out", async () => {
  const [a, b] = [openLeases(), openLeases()];
  await a.claim("job 1");
  await passInDatabase(-3_600);
  expect(await b.claim("job 1")).toBeDefined();
});

test("processes of machines whose clocks differ agree on the database's", async () => {
  const [a, b] = [openLeases(), openLeases()];
  const toDifference = async (leases: Leases) => {
    const { rows } = await database.pool.query<{ at: string }>("SELECT clock_timestamp() AS at");
    return Math.abs(leases.now().getTime() - Date.parse(rows[0]?.at ?? ""));
  };
  wallMs = Date.parse("2001-01-01T00:00:00Z");
  await a.renew();
  wallMs = Date.parse("2041-01-01T00:00:00Z");
  await b.renew();
  // The clocks of this test stand still, the database's goes on.
  expect(await toDifference(b)).toBeLessThan(3_600_000);
  wallMs = Date.parse("2001-01-01T00:00:00Z");
  expect(await toDifference(a)).toBeLessThan(3_600_000);
});

test("leases that ended long ago are taken away, and what was left with them isn't", async () => {
  const leases = openLeases();
  const duty = leases.keep("sweeping");
  await leases.renew();
  await leases.claim("job 1");
  await duty.leave("up to 3");
  await passInDatabase(2 * 86_400);
  await deleteOldLeases(database.pool);
  const { rows } = await database.pool.query("SELECT name FROM work_lease");
  expect(rows).toEqual([{ name: "sweeping" }]);
});

test("where one process has the database all is its own, without asking", async () => {
  const leases = createLocalLeases();
  await leases.start();
  const duty = leases.keep("sweeping");
  const claim = await leases.claim("job 1");
  expect([duty.isMine(), claim?.isHeld()]).toEqual([true, true]);
  expect(await leases.claim("job 1")).toBeUndefined();
  await claim?.giveUp();
  expect(await leases.claim("job 1")).toBeDefined();
  await duty.giveUp();
  expect([duty.isMine(), duty.signal.aborted]).toEqual([false, true]);
});

test("the work of a process that was killed is taken over within 30 seconds, by the clock of the database", async () => {
  const child = spawn(process.execPath, [join(import.meta.dirname, "test-holder.ts")], {
    env: { ...process.env, NODE_OPTIONS: "", FOYER_TEST_HOLDER: JSON.stringify(database.connection) },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const left = async () => {
    const { rows } = await database.pool.query<{ seconds: number }>(
      "SELECT extract(epoch FROM expires_at - clock_timestamp())::float8 AS seconds FROM work_lease WHERE name = 'sweeping'",
    );
    return rows[0]?.seconds;
  };
  await until(async () => (await left()) !== undefined);
  child.kill("SIGKILL");
  await once(child, "exit");
  const seconds = (await left()) ?? Number.POSITIVE_INFINITY;
  // Others look every five seconds.
  expect(seconds + 5).toBeLessThan(30);
  const next = openTestHolder(database.connection);
  open.push(next);
  const duty = next.keep("sweeping");
  await next.renew();
  expect(duty.isMine()).toBe(false);
  await passInDatabase(seconds);
  await next.renew();
  expect(duty.isMine()).toBe(true);
});
