import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createLinkedProcesses, toOpenCluster } from "#test/linked-processes.ts";
import { until } from "#test/until.ts";
import { isTimed } from "./routes.ts";
import { takeSample } from "./sampler.ts";
import type { Finding } from "./service.ts";
import { selectHourMeans } from "./store.ts";

const NOW = new Date("2026-11-20T12:00:30Z");
const MINUTE_MS = 60_000;
let site: TestApp;
let clock = NOW;
let relay: Finding = { status: "healthy" };
let staff: { authorization: string };

async function get(headers: Record<string, string> = staff, lang = "en") {
  const answer = await site.app.inject({
    url: "/api/health/",
    headers: { ...headers, "accept-language": lang },
  });
  return { status: answer.statusCode, body: answer.json() };
}

/** One sample a minute up to a moment, as many as said. */
async function writeSamples(
  count: number,
  options: { until?: Date; ms?: number; requests?: number; processLabel?: string; diskUsed?: number } = {},
) {
  const { until = NOW, ms = 10, requests = 3, processLabel = "one", diskUsed = 50 } = options;
  for (let index = 0; index < count; index++) {
    const at = new Date(until.getTime() - index * MINUTE_MS);
    await takeSample(
      {
        db: site.database.pool,
        processLabel,
        times: { take: () => ({ count: requests, medianMs: ms }) },
        readDisk: async () => ({ used: diskUsed, free: 100 - diskUsed }),
        now: () => at,
      },
      "00000000-0000-4000-8000-000000000000",
    );
  }
}

beforeAll(async () => {
  site = await createTestApp({ now: () => clock, checkRelay: async () => relay });
  staff = await site.signInAs(10);
});
afterAll(() => site.close());
beforeEach(async () => {
  await site.database.pool.query("DELETE FROM health_sample; DELETE FROM mail_message");
  // Past what is cached of the call before.
  clock = new Date(clock.getTime() + 10_000);
});

test.each([
  [401, null],
  [403, 0],
  [403, 1],
  [403, 5],
])("the health page answers %d to level %s", async (status, level) => {
  const headers = level === null ? {} : await site.signInAs(level);
  expect((await get(headers as Record<string, string>)).status).toBe(status);
});

test("a site that has just begun says what it knows, and no trend", async () => {
  const { status, body } = await get();
  expect(status).toBe(200);
  expect(body).toMatchObject({
    overall_status: "healthy",
    services: {
      database: { status: "healthy", message: "" },
      cache: { status: "healthy" },
      file_storage: { status: "healthy" },
      outbox: { status: "healthy" },
      voice_relay: { status: "healthy", message: "" },
    },
    response_time_trend: null,
    memory_trend: null,
    disk_trend: null,
    availability: null,
    history: [],
    outbox: { pending: 0, oldest_s: null },
    node_version: process.version.slice(1),
    last_check: clock.toISOString(),
  });
  expect(body.database_version).toMatch(/^\d+\.\d+/);
  expect(body.memory_usage).toBeGreaterThan(1e6);
  expect(body.disk_usage).toBeGreaterThan(0);
  expect(body.disk_usage).toBeLessThan(1);
  expect(body).not.toHaveProperty("python_version");
});

test("trends, availability and history come from the samples", async () => {
  await writeSamples(50, { until: clock, ms: 20 });
  await writeSamples(50, { until: new Date(clock.getTime() - 60 * MINUTE_MS), ms: 10 });
  const { body } = await get();
  expect(body.response_time).toBe(20);
  expect(body.response_time_trend).toBe("up");
  expect(body.disk_trend).toBe("stable");
  // 109 whole minutes before this one, in 99 of which there is a sample.
  expect(body.availability).toBeCloseTo(99 / 109, 5);
  expect(body.history.length).toBeGreaterThan(15);
  expect(body.history[0].disk_usage).toBeCloseTo(0.5);
});

test("less than an hour of records says nothing of availability", async () => {
  await writeSamples(59, { until: clock });
  expect((await get()).body.availability).toBeNull();
});

test("a site that was down since before the period counts from the period's begin", async () => {
  const dayMs = 24 * 60 * MINUTE_MS;
  await writeSamples(1, { until: new Date(clock.getTime() - 40 * dayMs) });
  await writeSamples(121, { until: clock });
  // The 120 whole minutes before this one, of 30 days.
  expect((await get()).body.availability).toBeCloseTo(120 / (30 * 24 * 60), 5);
});

test.each([
  ["/socket/longpoll", false],
  ["/api/users/", true],
  [undefined, true],
])("of %s the time is a response time: %s; a long poll waits on purpose", (route, isOne) => {
  expect(isTimed(route)).toBe(isOne);
});

test("mails that wait too long are reported in the reader's language", async () => {
  const due = new Date(clock.getTime() - 2 * 60 * MINUTE_MS).toISOString();
  await site.database.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, next_attempt_at)
     VALUES ('t', 'r', '<t@x>', 'verification_code', 'a@example.org', 'a@example.org', 'en', '{}', $1)`,
    [due],
  );
  const { body } = await get(staff, "tr");
  expect(body.overall_status).toBe("critical");
  expect(body.services.outbox.message).toBe("E-postalar 120 dakikadır bekliyor.");
  expect(body.outbox.pending).toBe(1);
});

test("a relay that doesn't answer is critical, and the ports to open are named", async () => {
  const vars = { address: "example.org:3478 (UDP)", port: 3478, minPort: 49152, maxPort: 49663 };
  relay = { status: "critical", reason: "relay_silent_local", vars };
  const { body } = await get(staff, "tr");
  relay = { status: "healthy" };
  expect(body.overall_status).toBe("critical");
  expect(body.services.voice_relay).toEqual({
    status: "critical",
    message:
      "example.org:3478 (UDP) yanıt vermiyor. Güvenlik duvarında 3478 (UDP ve TCP) ile 49152–49663 (UDP) " +
      "bağlantı noktalarını açın ya da TURN_HOST ayarını düzeltin.",
  });
});

test("a sign of life needs no token and no database", async () => {
  const answer = await site.app.inject({ url: "/api/health/live" });
  expect(answer.statusCode).toBe(204);
});

test("whether the site can work is said without a token and without a body", async () => {
  const answer = await site.app.inject({ url: "/api/health/ready" });
  expect([answer.statusCode, answer.body, answer.headers["cache-control"]]).toEqual([200, "", "no-store"]);
});

test("a site whose connections all have work is ready", async () => {
  const { pool } = site.database;
  const busy = await Promise.all(Array.from({ length: pool.options.max }, () => pool.connect()));
  try {
    expect((await site.app.inject({ url: "/api/health/ready" })).statusCode).toBe(200);
  } finally {
    for (const client of busy) client.release();
  }
});

test("a site whose database is gone isn't ready, by whichever connection it asks", async () => {
  let isLive = true;
  let moment = NOW;
  const other = await createTestApp({ now: () => moment });
  const isReady = async () => (await other.app.inject({ url: "/api/health/ready" })).statusCode === 200;
  const gone = () => Promise.reject(new Error("gone"));
  const { ping } = other.feed;
  Object.assign(other.feed, { ping: gone, isLive: () => isLive });
  const answer = await other.app.inject({ url: "/api/health/ready" });
  expect([answer.statusCode, answer.body]).toEqual([503, ""]);
  isLive = false;
  moment = new Date(moment.getTime() + MINUTE_MS);
  expect(await isReady()).toBe(true);
  other.feed.ping = ping;
  other.database.pool.query = gone;
  moment = new Date(moment.getTime() + MINUTE_MS);
  expect(await isReady()).toBe(false);
  isLive = true;
  moment = new Date(moment.getTime() + MINUTE_MS);
  expect(await isReady()).toBe(true);
  Reflect.deleteProperty(other.database.pool, "query");
  await other.close();
});

test("while a full disk lets every write fail the database is critical, with what is known of the rest", async () => {
  const { pool } = site.database;
  await pool.query(
    `CREATE FUNCTION refuse() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       RAISE EXCEPTION USING ERRCODE = '53100', MESSAGE = 'could not extend file: No space left on device'; END $$;
     CREATE TRIGGER refuse BEFORE INSERT ON contact_message FOR EACH ROW EXECUTE FUNCTION refuse()`,
  );
  const payload = {
    name: "Ada",
    email: "ada@example.org",
    subject: "Hello there",
    message: "A message of some length.",
  };
  const send = () => site.app.inject({ method: "POST", url: "/api/contact/", payload });
  const refused = await send();
  expect([refused.statusCode, refused.json().code]).toEqual([507, "disk_full"]);
  const { body } = await get(staff, "tr");
  expect(body.overall_status).toBe("critical");
  expect(body.services.database.message).toContain("diski dolu");
  expect(body.database_version).toMatch(/^\d+/);
  await pool.query("DROP TRIGGER refuse ON contact_message; DROP FUNCTION refuse()");
  clock = new Date(clock.getTime() + 75_000);
  expect((await get()).body.services.database.status).toBe("healthy");
});

test("the second sample of one moment is left out", async () => {
  await writeSamples(1);
  await writeSamples(1);
  const { rows } = await site.database.pool.query("SELECT request_count FROM health_sample");
  expect(rows).toEqual([{ request_count: 3 }]);
});

test("where the site has several processes, each says how it is", async () => {
  const { a, b } = createLinkedProcesses("a", "b");
  const figures = {
    version: "0.2.0",
    uptime: 5,
    cpu: 0.25,
    event_loop: 0.5,
    memory_usage: 100e6,
    sockets: 7,
  };
  b.link.answer("health", async () => figures);
  const one = await createTestApp({ openCluster: toOpenCluster(a), processLabel: "machine:3000" });
  await until(() => a.link.list().length === 2);
  const { authorization } = await one.signInAs(10);
  const answer = await one.app.inject({ url: "/api/health/", headers: { authorization } });
  expect(answer.json().processes).toEqual([
    { name: "b", figures },
    { name: "machine:3000", figures: expect.objectContaining({ version: "0.1.0", sockets: 0 }) },
  ]);
  await one.close();
  expect((await get()).body.processes).toBeUndefined();
});

test("figures of two processes are the site's: each minute counts once, and a time as often as it had requests", async () => {
  // In the same milliseconds.
  await writeSamples(12, { ms: 10, requests: 99, processLabel: "one" });
  await writeSamples(12, { ms: 510, requests: 1, processLabel: "two", diskUsed: 90 });
  const { rows } = await site.database.pool.query(
    "SELECT process, count(*)::integer FROM health_sample GROUP BY 1 ORDER BY 1",
  );
  expect(rows).toEqual([
    { process: "one", count: 12 },
    { process: "two", count: 12 },
  ]);
  const { body } = await get();
  expect(body.history.at(-2).response_time).toBeCloseTo(15);
  expect(body.history.at(-2).disk_usage).toBeCloseTo(0.9);
  const [last] = await selectHourMeans(site.database.pool, NOW);
  expect(last.responseTimeMs).toBeCloseTo(15);
  expect(last).toMatchObject({ count: 12, responseCount: 12, diskShare: expect.closeTo(0.9) });
});
