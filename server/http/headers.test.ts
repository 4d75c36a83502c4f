import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createServer } from "#server/create-server.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

let site: TestApp;
const lines: Record<string, unknown>[] = [];
beforeAll(async () => {
  const log = pino({ base: null }, { write: (line) => void lines.push(JSON.parse(line)) });
  site = await createTestApp({ log });
});
afterAll(() => site.close());

/** Addresses that the description of the API doesn't name, and some that no route can read. */
const OTHERS =
  "/cv /tr/cv /admin /login /rooms /nowhere /api/nowhere /api/docs/ /api/docs/json /look.css /favicon.ico /robots.txt /sitemap.xml /llms.txt /manifest.webmanifest /cv.pdf /contact /%zz /.git/config /package.json";

interface Call {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
}

async function listCalls(): Promise<Call[]> {
  const { paths } = (await site.app.inject({ url: "/api/openapi.json" })).json() as {
    paths: Record<string, object>;
  };
  const documented = Object.entries(paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => ({
      method: method.toUpperCase() as Call["method"],
      url: path.replace(/\{\w+\}/g, "1"),
    })),
  );
  return [...documented, ...OTHERS.split(" ").map((url) => ({ method: "GET" as const, url }))];
}

describe("every answer", () => {
  test("is of the type that it says, in nobody's frame, and to be read by no other site", async () => {
    const calls = await listCalls();
    const wrong: unknown[] = [];
    for (const call of calls) {
      const { headers } = await site.app.inject({ ...call, headers: { origin: "https://elsewhere.test" } });
      const policy = String(headers["content-security-policy"]);
      const isRight =
        headers["x-content-type-options"] === "nosniff" &&
        headers["referrer-policy"] === "strict-origin-when-cross-origin" &&
        headers["access-control-allow-origin"] === undefined &&
        /frame-ancestors 'none'/.test(policy) &&
        /base-uri 'none'/.test(policy) &&
        !/script-src [^;]*'unsafe/.test(policy);
      if (!isRight) wrong.push([call.method, call.url, headers]);
    }
    expect(calls.length).toBeGreaterThan(150);
    expect(wrong).toEqual([]);
  });

  test("with a text says its type, and that it is UTF-8", async () => {
    const wrong: unknown[] = [];
    for (const call of await listCalls()) {
      const { headers, body } = await site.app.inject(call);
      const type = String(headers["content-type"] ?? "");
      const isText = /^text\/|json|xml|javascript/.test(type);
      if (body !== "" && (type === "" || (isText && !/; charset=utf-8$/.test(type))))
        wrong.push([call, type]);
    }
    expect(wrong).toEqual([]);
  });

  test("that is a document has a policy which takes scripts and styles by hash or nonce alone", async () => {
    for (const url of ["/cv", "/login", "/rooms", "/admin", "/nowhere", "/api/docs/", "/contact"]) {
      const { headers } = await site.app.inject({ url });
      const policy = String(headers["content-security-policy"]);
      expect([url, policy]).toEqual([url, expect.stringContaining("object-src 'none'")]);
      expect([url, policy]).toEqual([url, expect.stringMatching(/default-src 'self'; script-src 'self'/)]);
      expect([url, policy]).toEqual([
        url,
        expect.not.stringMatching(/https?:|style-src [^;]*'unsafe-inline'/),
      ]);
    }
  });

  test("asks for HTTPS where the site is at an https address, also of an address that can't be read", async () => {
    const hsts = { maxAge: 31_536_000, includeSubDomains: true, preload: false };
    const app = await createServer({
      config: { trustProxy: false, hsts },
      version: "1",
      schemas: {},
      log: pino({ level: "silent" }),
    });
    app.get("/now", () => "answered");
    for (const url of ["/now", "/nowhere", "/%zz"]) {
      const { headers } = await app.inject({ url });
      expect([url, headers["strict-transport-security"]]).toEqual([
        url,
        "max-age=31536000; includeSubDomains",
      ]);
    }
    await app.close();
  });
});

describe("who tries what they may not do", () => {
  test("leaves a line with their number, what it was, and nothing that they sent", async () => {
    const person = await site.signInAs(1, "curious");
    lines.length = 0;
    const headers = { authorization: person.authorization };
    expect((await site.app.inject({ url: "/api/admin/users/?search=hunter2", headers })).statusCode).toBe(
      403,
    );
    expect(lines).toEqual([
      expect.objectContaining({
        level: expect.any(Number),
        userId: person.userId,
        method: "GET",
        path: "/api/admin/users/",
        code: "permission_denied",
        reqId: expect.any(String),
        msg: "not permitted",
      }),
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/hunter2|Bearer/);
  });

  test("is told apart from who is only asked whether it is still them", async () => {
    const person = await site.signInAs(10, "at_work");
    await site.database.pool.query("UPDATE account_session SET confirmed_at = now() - interval '1 hour'");
    lines.length = 0;
    const headers = { authorization: person.authorization };
    const answer = await site.app.inject({ url: "/api/users/export/", headers });
    expect(answer.statusCode).toBe(403);
    expect(answer.json().code).toBe("step_up_required");
    expect(lines).toEqual([]);
  });
});
