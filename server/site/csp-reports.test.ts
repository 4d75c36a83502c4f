import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";

let site: TestApp;
const clock = { now: Date.parse("2026-05-01T10:00:00Z") };
beforeAll(async () => {
  site = await createTestApp({ now: () => new Date(clock.now) });
});
afterAll(() => site.close());
beforeEach(async () => {
  clock.now += 60_000;
  await site.database.pool.query("DELETE FROM site_csp_report");
});

const URL = "/api/csp-reports/";
const REPORT = {
  "document-uri": "https://site.test/en/cv?name=ada#x",
  "effective-directive": "script-src-elem",
  "blocked-uri": "https://evil.example/a.js?stolen=1",
};
const post = (body: unknown, { from = "192.0.2.1", type = "application/csp-report" } = {}) =>
  site.app.inject({
    method: "POST",
    url: URL,
    remoteAddress: from,
    headers: { "content-type": type },
    payload: typeof body === "string" ? body : JSON.stringify(body),
  });
async function readRows() {
  const { rows } = await site.database.pool.query(
    "SELECT directive, blocked, page, count FROM site_csp_report ORDER BY id",
  );
  return rows;
}

describe("a report of a browser", () => {
  test("is asked for by every page", async () => {
    for (const url of ["/en/cv", "/admin", "/api/docs/", "/nowhere"]) {
      const { headers } = await site.app.inject({ url });
      expect([url, headers["content-security-policy"]]).toEqual([
        url,
        expect.stringMatching(/; report-uri \/api\/csp-reports\/; report-to csp$/),
      ]);
      expect(headers["reporting-endpoints"]).toBe('csp="/api/csp-reports/"');
    }
  });

  test("is counted by its kind, in either form, without what stands in queries", async () => {
    const body = {
      documentURL: REPORT["document-uri"],
      effectiveDirective: REPORT["effective-directive"],
      blockedURL: REPORT["blocked-uri"],
    };
    expect((await post({ "csp-report": REPORT })).statusCode).toBe(204);
    const list = [
      { type: "csp-violation", body },
      { type: "deprecation", body: {} },
    ];
    expect((await post(list, { type: "application/reports+json" })).statusCode).toBe(204);
    expect(await readRows()).toEqual([
      { directive: "script-src-elem", blocked: "https://evil.example", page: "/en/cv", count: 2 },
    ]);
  });

  test.each([
    ["of another site", { ...REPORT, "document-uri": "https://other.test/" }],
    ["of a browser's extension", { ...REPORT, "source-file": "chrome-extension://abc/x.js" }],
    ["without a rule's name", { ...REPORT, "effective-directive": "<b>" }],
    ["of nothing", null],
  ])("%s is none", async (_what, report) => {
    expect((await post({ "csp-report": report })).statusCode).toBe(204);
    expect(await readRows()).toEqual([]);
  });

  test("is refused above 16 kB, and where it is no JSON", async () => {
    expect((await post(" ".repeat(17 * 1024))).statusCode).toBe(413);
    expect((await post("{")).statusCode).toBe(400);
  });
});

describe("reports cannot be flooded", () => {
  test("twenty a minute of an address and 120 in all are taken, before their bodies are read", async () => {
    for (let sent = 0; sent < 20; sent += 1) await post("{");
    const refused = await post({ "csp-report": REPORT });
    expect([refused.statusCode, refused.json().code]).toEqual([429, "too_many_requests"]);
    for (let sent = 0; sent < 100; sent += 1) await post("{", { from: `198.51.100.${sent}` });
    expect((await post({ "csp-report": REPORT }, { from: "203.0.113.1" })).statusCode).toBe(429);
    clock.now += 60_000;
    expect((await post({ "csp-report": REPORT })).statusCode).toBe(204);
  });

  test("of an address thirty kinds a day are new; the known are counted on, and other addresses' taken", async () => {
    const toReports = (first: number) =>
      Array.from({ length: 10 }, (_, n) => ({
        type: "csp-violation",
        body: {
          documentURL: `https://site.test/made-up/${first + n}`,
          effectiveDirective: "img-src",
          blockedURL: "https://elsewhere.example/x.png",
        },
      }));
    const type = "application/reports+json";
    clock.now += 86_400_000;
    for (const first of [0, 10, 20, 30]) await post(toReports(first), { type });
    expect(await readRows()).toHaveLength(30);
    await post(toReports(0), { type });
    expect((await readRows()).filter(({ count }) => count === 2)).toHaveLength(10);
    await post({ "csp-report": REPORT }, { from: "203.0.113.7" });
    expect(await readRows()).toHaveLength(31);
    clock.now += 86_400_000;
    await post(toReports(40), { type });
    expect(await readRows()).toHaveLength(41);
  });

  test("500 kinds are kept, the newest, and for 30 days", async () => {
    await site.database.pool.query(
      "INSERT INTO site_csp_report (directive, blocked, page, last_seen_at) SELECT 'img-src', '', '/' || n, $1::timestamptz - n * interval '1 minute' FROM generate_series(1, 500) n",
      [new Date(clock.now).toISOString()],
    );
    await post({ "csp-report": REPORT });
    const rows = await readRows();
    expect([rows.length, rows.some(({ page }) => page === "/500")]).toEqual([500, false]);
    clock.now += 31 * 86_400_000;
    await post({ "csp-report": REPORT });
    expect(await readRows()).toHaveLength(1);
  });
});
