import { execFileSync } from "node:child_process";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createTestApp, type TestApp } from "#test/app.ts";
import { orHang } from "#test/until.ts";
import { openCollector, type ReceivedSpan } from "./test-collector.ts";

let collector: Awaited<ReturnType<typeof openCollector>>;
beforeEach(async () => {
  collector = await openCollector();
});
afterEach(() => collector.close());

/** Spans are sent at the latest when the site stops. */
async function trace(
  use: (site: TestApp) => Promise<unknown>,
  options: Parameters<typeof createTestApp>[0] = {},
): Promise<ReceivedSpan[]> {
  const { endpoint } = collector;
  const site = await createTestApp({ otlp: { endpoint, headers: { "api-key": "a b" } }, ...options });
  await use(site);
  await orHang(site.close());
  return collector.spans;
}
const SERVER = 2;
const CLIENT = 3;
const TRACE = "4bf92f3577b34da6a3ce929d0e0e4736";
const PARENT = "00f067aa0ba902b7";
const TRACEPARENT = `00-${TRACE}-${PARENT}-01`;

test("a request is a span by its route, with its number, and its statements are its children, without values", async () => {
  let id: unknown;
  const spans = await trace(async (site) => {
    const person = await site.signInAs(999, "veryparticularname");
    const { authorization } = person;
    const answer = await site.app.inject({
      url: "/api/admin/jobs/471147/?secret=hidden",
      headers: { authorization },
    });
    id = answer.headers["x-request-id"];
  });
  const [request] = spans.filter(({ name }) => name === "GET /api/admin/jobs/:id/");
  expect(request).toMatchObject({
    kind: SERVER,
    parentId: "",
    status: 0,
    attributes: {
      "http.request.method": "GET",
      "http.route": "/api/admin/jobs/:id/",
      "http.response.status_code": 404,
      "foyer.request_id": id,
    },
  });
  const children = spans.filter(({ parentId }) => parentId === request?.spanId);
  expect(children.length).toBeGreaterThan(0);
  for (const child of children)
    expect(child).toMatchObject({
      kind: CLIENT,
      traceId: request?.traceId,
      attributes: { "db.system.name": "postgresql", "db.query.text": expect.stringMatching(/\$1/) },
    });
  // Behind a body too, which comes in events of the connection.
  const [logIn] = spans.filter(({ name }) => name === "POST /api/users/login/");
  expect(spans.filter(({ parentId }) => parentId === logIn?.spanId).length).toBeGreaterThan(2);
  const bytes = collector.getBytes();
  for (const value of ["veryparticularname", "471147", "hidden"]) expect(bytes.includes(value)).toBe(false);
  for (const name of ["service.name", "foyer"]) expect(bytes.includes(name)).toBe(true);
  expect(collector.requests[0]).toMatchObject({
    url: "/v1/traces",
    headers: { "content-type": "application/x-protobuf", "api-key": "a b" },
  });
});

test("spans name their process, which others of the site are told from by it", async () => {
  await trace((site) => site.app.inject({ url: "/api/health/live" }), { processLabel: "machine:3000/2" });
  for (const text of ["service.instance.id", "machine:3000/2"])
    expect(collector.getBytes().includes(text)).toBe(true);
});

test("requests that wait for one connection have their own statements each", async () => {
  const spans = await trace(async (site) => {
    const people = await Promise.all([1, 2, 3].map((index) => site.signInAs(1, `person_${index}`)));
    const calls = Array.from({ length: 60 }, (_, index) =>
      site.app.inject({
        url: index % 2 ? "/api/users/me/" : "/api/users/sessions/",
        headers: { authorization: people[index % 3]?.authorization },
      }),
    );
    for (const { statusCode } of await Promise.all(calls)) expect(statusCode).toBe(200);
  });
  const lists = spans.filter(({ name }) => name === "GET /api/users/sessions/");
  expect(lists).toHaveLength(30);
  for (const { spanId } of lists) {
    const texts = spans
      .filter(({ parentId }) => parentId === spanId)
      .map(({ attributes }) => attributes["db.query.text"]);
    expect(texts.filter((text) => /FROM account_session/.test(String(text)))).not.toEqual([]);
  }
});

test("a fault is one, and PostgreSQL's code without its message", async () => {
  const spans = await trace(async (site) => {
    await site.database.damage("ALTER TABLE contact_message ADD CHECK (subject <> 'unheard-of')");
    const payload = {
      name: "Ada",
      email: "ada@foyer.example",
      subject: "unheard-of",
      message: "A question of mine",
    };
    const answer = await site.app.inject({ method: "POST", url: "/api/contact/", payload });
    expect(answer.statusCode).toBe(500);
  });
  expect(spans.find(({ name }) => name === "POST /api/contact/")).toMatchObject({
    status: 2,
    attributes: { "http.response.status_code": 500 },
  });
  expect(spans.find(({ attributes }) => attributes["db.response.status_code"])).toMatchObject({
    status: 2,
    attributes: { "db.response.status_code": "23514" },
  });
  expect(collector.getBytes().includes("unheard-of")).toBe(false);
});

test.each([
  ["a trusted proxy gave it", "loopback", TRACEPARENT, TRACE],
  ["nobody is trusted", false, TRACEPARENT, undefined],
  ["it is none", "loopback", `00-${"0".repeat(32)}-${PARENT}-01`, undefined],
  ["it is no text of that kind", "loopback", "hello", undefined],
] as const)("the caller's trace is gone on with where %s", async (_, trustProxy, traceparent, traceId) => {
  const [span] = await trace(
    (site) => site.app.inject({ url: "/api/health/live", headers: { traceparent } }),
    { trustProxy },
  );
  if (traceId) expect(span).toMatchObject({ traceId, parentId: PARENT });
  else expect(span).toMatchObject({ traceId: expect.not.stringContaining(TRACE), parentId: "" });
});

test("what the caller doesn't trace isn't sent", async () => {
  const spans = await trace(
    (site) => site.app.inject({ url: "/en/cv", headers: { traceparent: `00-${TRACE}-${PARENT}-00` } }),
    { trustProxy: "loopback" },
  );
  expect(spans).toEqual([]);
});

test("a collector that is away costs a line of the log, and neither a request nor the stop", async () => {
  const lines: { msg?: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  const otlp = { endpoint: "http://127.0.0.1:1", headers: {} };
  await trace(
    async (site) => {
      for (let count = 0; count < 5; count += 1)
        expect((await site.app.inject({ url: "/api/health/live" })).statusCode).toBe(204);
    },
    { log, otlp },
  );
  expect(
    lines.filter(({ msg }) => msg?.startsWith("traces can't be sent to 127.0.0.1:1")).length,
  ).toBeLessThanOrEqual(1);
});

test("a collector that refuses is told of once", async () => {
  const lines: { msg?: string }[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  collector.refuseWith(400);
  await trace((site) => site.app.inject({ url: "/api/health/live" }), { log });
  expect(lines.map(({ msg }) => msg)).toEqual([
    `traces can't be sent to ${new URL(collector.endpoint).host}: they are dropped`,
  ]);
});

test("where nothing is traced or counted, no library for it is loaded", () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load(url, context, nextLoad) { loaded.push(url); return nextLoad(url, context); } });
    await import("./server/app.ts");
    await import("./server/open-floor.ts");
    console.log(JSON.stringify(loaded));`;
  const output = execFileSync(process.execPath, ["--input-type=module", "--eval", script], {
    cwd: join(import.meta.dirname, "../.."),
    encoding: "utf8",
    maxBuffer: 16_000_000,
  });
  const loaded: string[] = JSON.parse(output);
  expect(loaded.some((url) => url.endsWith("/server/health/metrics-routes.ts"))).toBe(true);
  expect(loaded.filter((url) => /@opentelemetry|prom-client|\/traces\.ts$|\/metrics\.ts$/.test(url))).toEqual(
    [],
  );
});
