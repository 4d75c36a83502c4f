import { execFileSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm } from "node:fs/promises";
import { loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { hashPassword } from "#server/accounts/passwords/hashing.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { startEmbedded } from "#server/db/embedded/supervisor.ts";
import { createPool } from "#server/db/pool.ts";
import { openRedisServer } from "#test/redis-server.ts";
import { type KeptSession, keepSession } from "./cluster/kills/session.ts";
import { call, type Member, toMember } from "./cluster/people.ts";
import { findFreePort, type ServerProcess, startServer } from "./outbox/server-process.ts";
import { CHECK, startBalancer } from "./rolling/balancer.ts";
import { openListeners } from "./rolling/listeners.ts";
import { type Outcome, sendVisits } from "./rolling/visitors.ts";
import { toMedian } from "./socket/figure.ts";

/**
 * `npm run bench:rolling [-- --pages 200 --console 50 --sockets 200 --rounds 3]`: two processes of the product on one PostgreSQL, one Redis and
 * one data folder, behind Debian's haproxy (`apt install haproxy redis-server`). Both are restarted one after the other, so often, while pages
 * and the console's lists are asked for and sockets listen. No request may fail, every socket is back soon, and nobody is signed out.
 */
const { values: options } = parseArgs({
  options: {
    pages: { type: "string", default: "200" },
    console: { type: "string", default: "50" },
    sockets: { type: "string", default: "200" },
    rounds: { type: "string", default: "3" },
  },
});
const PASSWORD = "Correct-Horse-Battery-1";
/** More than the balancer takes to see it. */
const DRAIN_SECONDS = Math.ceil((CHECK.intervalMs * (CHECK.failures + 1)) / 1000) + 1;
const SETTLE_MS = 2_000;
/** Of sockets. */
const BACK_MS = 5_000;
/** Who listen, with as many sockets each. */
const NAMES = Array.from({ length: 20 }, (_, index) => `listener${index}`);

execFileSync(process.execPath, ["bin/build.mjs"], { stdio: "inherit" });
const folder = await mkdtemp(join(tmpdir(), "foyer-rolling-"));
// Open to the account that root drops to.
await chmod(folder, 0o755);
const [database, data] = [join(folder, "database"), join(folder, "data")];
await mkdir(database, { mode: 0o755 });
await mkdir(data);
const redis = await openRedisServer();
const postgres = await startEmbedded({ dataDir: database, log: { info: () => {}, warn: console.warn } });
const { host, port, user, database: name } = postgres.connection;
const settings = {
  DATABASE_URL: `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`,
  REDIS_URL: redis.url,
  DRAIN_SECONDS: String(DRAIN_SECONDS),
  TRUST_PROXY: "1",
  FOYER_USER: "root",
  BACKUP_DAILY: "false",
  SECOND_FACTOR_LEVEL: "off",
};

async function signIn(url: string, username: string): Promise<Member> {
  const pool = createPool(postgres.connection, { name: "bench", max: 1, onError: console.warn });
  const passwordHash = await hashPassword(PASSWORD);
  await insertAccount(pool, { username, email: `${username}@foyer.example`, passwordHash, level: 999 });
  await pool.end();
  return toMember(
    await call({ url }, "POST", "/api/users/login/", { body: { username, password: PASSWORD } }),
  );
}

const ports = [await findFreePort(), await findFreePort()];
const start = (at: number) => startServer(data, { ...settings, PORT: String(at) });
const processes = new Map<number, ServerProcess>();
for (const at of ports) processes.set(at, await start(at));
const balancer = await startBalancer(
  folder,
  { site: await findFreePort(), stats: await findFreePort() },
  ports,
);

async function untilUp(at: number): Promise<void> {
  while ((await balancer.readUp()).get(at) !== true) await sleep(50);
}

/** Both have been up for a while. */
async function untilSettled(): Promise<void> {
  let since = performance.now();
  while (performance.now() - since < SETTLE_MS) {
    await sleep(50);
    if ([...(await balancer.readUp()).values()].includes(false)) since = performance.now();
  }
}

function toRow(figure: string, { requests, faults, latenciesMs }: Outcome) {
  const sorted = latenciesMs.toSorted((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.floor(sorted.length * share)] ?? 0);
  return {
    figure,
    requests,
    failed: requests - sorted.length,
    faults: JSON.stringify(faults),
    "p50 ms": at(0.5),
    "p99 ms": at(0.99),
    "longest ms": Math.round(sorted.at(-1) ?? 0),
  };
}

try {
  for (const at of ports) await untilUp(at);
  const { url } = balancer;
  const { headers } = await signIn(url, "ada");
  const people: KeptSession[] = [];
  for (const each of NAMES) people.push(keepSession(url, await signIn(url, each)));
  const body = { name: "Room" };
  const { id: roomId } = await call<{ id: string }>({ url }, "POST", "/voice/rooms", { headers, body });
  const each = Math.ceil(Number(options.sockets) / NAMES.length);
  const listening = openListeners(url, people, { each, roomId });
  await listening.untilJoined();
  const visitors = [
    sendVisits({
      name: "pages",
      url,
      paths: ["/en/cv", "/tr/cv", "/contact", "/terms"],
      perSecond: Number(options.pages),
    }),
    sendVisits({
      name: "console",
      url,
      paths: [
        "/api/admin/permissions/",
        "/api/admin/users/?page=1",
        "/api/admin/actions/?page=1",
        "/api/admin/jobs/",
      ],
      perSecond: Number(options.console),
      headers,
    }),
  ] as const;
  await untilSettled();
  const restarts: { stop: number; start: number }[] = [];
  for (let round = 0; round < Number(options.rounds); round += 1)
    for (const at of ports) {
      const begin = performance.now();
      await processes.get(at)?.stop();
      const stopped = performance.now();
      processes.set(at, await start(at));
      await untilUp(at);
      restarts.push({ stop: stopped - begin, start: performance.now() - stopped });
      await untilSettled();
      await listening.untilJoined();
    }
  const [pages, lists] = await Promise.all(visitors.map((one) => one.stop()));
  if (!pages || !lists) throw new Error("nobody asked");
  const mean = (pick: (one: (typeof restarts)[number]) => number) =>
    (restarts.reduce((sum, one) => sum + pick(one), 0) / restarts.length / 1000).toFixed(1);
  console.log(
    `\n${restarts.length} restarts, ${DRAIN_SECONDS} s of drain each: a stop took ${mean(({ stop }) => stop)} s, a start ${mean(({ start }) => start)} s; load of the machine ${loadavg()[0]?.toFixed(1)}`,
  );
  const rows = [toRow(`pages, ${options.pages}/s`, pages), toRow(`console, ${options.console}/s`, lists)];
  console.table(rows);
  const failed = rows.reduce((sum, row) => sum + row.failed, 0);
  console.log(`failed requests: ${failed} (bar: 0)`);
  const gaps = listening.gaps.toSorted((a, b) => a - b);
  const longest = gaps.at(-1) ?? Number.POSITIVE_INFINITY;
  const signedOut = people.filter(({ isSignedOut }) => isSignedOut).length;
  console.log(
    `${each * NAMES.length} sockets: ${gaps.length} times away, back after ${Math.round(toMedian(gaps))} ms, the last one after ${Math.round(longest)} ms (bar: ${BACK_MS}); signed out: ${signedOut} (bar: 0)`,
  );
  process.exitCode = failed === 0 && longest <= BACK_MS && signedOut === 0 ? 0 : 1;
  listening.close();
  for (const one of people) one.stop();
} finally {
  await balancer.stop();
  for (const one of processes.values()) await one.stop();
  await postgres.stop();
  await redis.close();
  await rm(folder, { recursive: true, force: true });
}
