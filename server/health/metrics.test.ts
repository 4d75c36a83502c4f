import { afterEach, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createLinkedProcesses, toOpenCluster } from "#test/linked-processes.ts";
import { until } from "#test/until.ts";

const TOKEN = "0123456789abcdef-metrics";
let site: TestApp;
afterEach(() => site.close());

const open = async (options: Parameters<typeof createTestApp>[0] = {}) => {
  site = await createTestApp({ metricsToken: TOKEN, ...options });
};
const ask = (authorization?: string) =>
  site.app.inject({ url: "/metrics", headers: { ...(authorization && { authorization }) } });

/** What the format asks: a metric's name once, its samples below it, and each once. */
function requireValid(body: string): void {
  const names: string[] = [];
  const samples: string[] = [];
  for (const line of body.split("\n").filter(Boolean)) {
    const [, kind, name = ""] = /^# (HELP|TYPE) (\S+)/.exec(line) ?? [];
    if (kind === "HELP") names.push(name);
    else if (kind === "TYPE") expect(name).toBe(names.at(-1));
    else {
      expect(line.startsWith(names.at(-1) ?? "?")).toBe(true);
      samples.push(line.slice(0, line.lastIndexOf(" ")));
    }
  }
  expect(new Set(names).size).toBe(names.length);
  expect(new Set(samples).size).toBe(samples.length);
}

/** Samples by name and labels as they are written. */
async function read(): Promise<Map<string, number>> {
  const answer = await ask(`Bearer ${TOKEN}`);
  expect([answer.statusCode, answer.headers["content-type"], answer.headers["cache-control"]]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  requireValid(answer.body);
  const lines = answer.body.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  return new Map(
    lines.map((line) => {
      const at = line.lastIndexOf(" ");
      return [line.slice(0, at), Number(line.slice(at + 1))];
    }),
  );
}

test("without METRICS_TOKEN there is no such address, for nobody", async () => {
  site = await createTestApp();
  const { authorization } = await site.signInAs(999);
  expect((await ask()).statusCode).toBe(404);
  expect((await ask(authorization)).statusCode).toBe(404);
});

test("the token opens it, and the level of staff; nothing else does", async () => {
  await open();
  const [user, staff] = [await site.signInAs(9), await site.signInAs(10)];
  const statuses: [string | undefined, number][] = [
    [undefined, 401],
    [`Bearer ${TOKEN}x`, 401],
    [`Bearer ${TOKEN.slice(1)}`, 401],
    [`Basic ${TOKEN}`, 401],
    [user.authorization, 403],
    [staff.authorization, 200],
    [`bearer ${TOKEN}`, 200],
  ];
  for (const [authorization, status] of statuses) expect((await ask(authorization)).statusCode).toBe(status);
});

test("requests are counted by method, route and kind of status, never by what was asked for", async () => {
  await open();
  const { authorization } = await site.signInAs(999);
  for (const url of ["/api/health/live", "/api/health/live", "/secret-1", "/secret-2", "/api/admin/jobs/77/"])
    await site.app.inject({ url, headers: { authorization } });
  const found = await read();
  const count = (labels: string) => found.get(`foyer_http_request_duration_seconds_count{${labels}}`);
  expect(count('method="GET",route="/api/health/live",status="2xx"')).toBe(2);
  expect(count('method="GET",route="/api/admin/jobs/:id/",status="4xx"')).toBe(1);
  expect([...found.keys()].join("\n")).not.toMatch(/secret|77/);
  const bucket =
    'foyer_http_request_duration_seconds_bucket{le="+Inf",method="GET",route="/api/health/live",status="2xx"}';
  expect(found.get(bucket)).toBe(2);
});

test("the process, its database, its sockets, rooms and pages are measured", async () => {
  const { a } = createLinkedProcesses("a", "b", "c");
  await until(() => a.link.list().length === 3);
  await open({ openCluster: toOpenCluster(a, false) });
  for (let count = 0; count < 3; count += 1) await site.app.inject({ url: "/en/cv" });
  const found = await read();
  for (const name of [
    "process_cpu_seconds_total",
    "process_resident_memory_bytes",
    "nodejs_heap_size_used_bytes",
  ])
    expect(found.get(name)).toBeGreaterThan(0);
  expect(found.has("nodejs_eventloop_lag_p99_seconds")).toBe(true);
  expect(found.get('foyer_build_info{version="0.1.0"}')).toBe(1);
  expect(found.get('foyer_database_connections{pool="requests",state="idle"}')).toBeGreaterThanOrEqual(0);
  expect(found.get('foyer_database_waiting{pool="exports"}')).toBe(0);
  for (const name of [
    "foyer_socket_connections",
    "foyer_socket_channels",
    "foyer_voice_rooms",
    "foyer_voice_seats",
  ])
    expect(found.get(name)).toBe(0);
  expect(found.get("foyer_page_cache_entries")).toBe(1);
  expect(found.get('foyer_page_cache_requests_total{result="hit"}')).toBe(2);
  expect(found.get('foyer_page_cache_requests_total{result="miss"}')).toBe(1);
  expect(found.get('foyer_link_up{carrier="redis"}')).toBe(0);
  expect(found.get("foyer_processes")).toBe(3);
  expect(found.get("foyer_processes_missing")).toBe(0);
});

test("of the processes that one start made each answers for all, under their labels, and says who is missing", async () => {
  const { a, b, c } = createLinkedProcesses("a", "b", "c");
  await until(() => a.link.list().length === 3 && b.link.list().length === 3);
  const toOptions = (number: number) => ({
    metricsToken: TOKEN,
    processLabel: `machine:3000/${number}`,
    launched: { number, count: 3, isJoining: number > 1, secret: "of this start" },
  });
  const other = await createTestApp({ ...toOptions(2), openCluster: toOpenCluster(b) });
  await open({ ...toOptions(1), openCluster: toOpenCluster(a) });
  for (let count = 0; count < 2; count += 1) await other.app.inject({ url: "/api/health/live" });
  const found = await read();
  const ofProcess = (number: number) => `process="machine:3000/${number}"`;
  expect([1, 2, 3].map((number) => found.get(`foyer_process_up{${ofProcess(number)}}`))).toEqual([1, 1, 0]);
  for (const number of [1, 2]) {
    expect(found.get(`process_resident_memory_bytes{${ofProcess(number)}}`)).toBeGreaterThan(0);
    expect(found.get(`foyer_link_up{carrier="redis",${ofProcess(number)}}`)).toBe(1);
  }
  const calls = `${ofProcess(2)},method="GET",route="/api/health/live",status="2xx"`;
  expect(found.get(`foyer_http_request_duration_seconds_count{${calls}}`)).toBe(2);
  // What the database says is the site's, and counted once.
  const withoutLabel = [...found.keys()].filter((name) => !name.includes("process="));
  expect(withoutLabel.filter((name) => !/^foyer_(mails|jobs)/.test(name))).toEqual([]);
  expect(found.get('foyer_mails{state="waiting"}')).toBe(0);
  // Another machine's start has its own scrape.
  expect(await c.link.ask(b.link.self, "metrics", "another start")).toBeNull();
  await other.close();
});

test("mails and jobs are counted at most every five seconds", async () => {
  let ms = 0;
  await open({ steadyMs: () => ms });
  const { pool } = site.database;
  await pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, next_attempt_at)
     VALUES ('a', 'a', 'a', 'test', 'a@foyer.example', 'a@foyer.example', 'en', '{}', now() - interval '1 minute')`,
  );
  expect((await read()).get('foyer_mails{state="waiting"}')).toBe(1);
  await pool.query("DELETE FROM mail_message");
  const again = await read();
  expect(again.get('foyer_mails{state="waiting"}')).toBe(1);
  expect(again.get("foyer_mails_oldest_wait_seconds")).toBeGreaterThan(50);
  ms = 5_000;
  const later = await read();
  expect(later.get('foyer_mails{state="waiting"}')).toBe(0);
  expect(later.get("foyer_mails_oldest_wait_seconds")).toBe(0);
  expect([...later.keys()].filter((name) => name.startsWith("foyer_jobs"))).toEqual([]);
});

test("while the database is away the rest is answered, and what it has is left out", async () => {
  await open();
  site.database.pool.query = () => Promise.reject(new Error("gone"));
  const found = await read();
  expect(found.get("foyer_socket_connections")).toBe(0);
  expect([...found.keys()].filter((name) => /^foyer_(mails|jobs)/.test(name))).toEqual([]);
  Reflect.deleteProperty(site.database.pool, "query");
});

test("an open socket is counted", async () => {
  await open();
  const person = await site.signInAs(1);
  const url = await site.listen();
  const socket = new WebSocket(
    `${url.replace("http", "ws")}/socket/websocket?vsn=2.0.0&token=${person.accessToken}`,
  );
  await until(() => socket.readyState === WebSocket.OPEN);
  expect((await read()).get("foyer_socket_connections")).toBe(1);
  socket.close();
});
