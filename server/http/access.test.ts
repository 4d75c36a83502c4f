import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

interface Operation {
  security?: object[];
  requestBody?: { content?: Record<string, unknown> };
}
interface Route extends Operation {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  url: string;
}

let site: TestApp;
let owner: TestPerson;
let routes: Route[];

/** An address of the right form for every operation. */
const VALUES: Record<string, string> = {
  key: `${"a".repeat(32)}.png`,
  lang: "en",
  slug: "terms",
  width: "384",
};
const toUrl = (path: string) => path.replace(/\{(\w+)\}/g, (_whole, name: string) => VALUES[name] ?? "1");

beforeAll(async () => {
  site = await createTestApp();
  owner = await site.signInAs(999);
  const { paths } = (await site.app.inject({ url: "/api/openapi.json" })).json() as {
    paths: Record<string, Record<string, Operation>>;
  };
  routes = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase() as Route["method"],
      url: toUrl(path),
    })),
  );
});
afterAll(() => site.close());

const JSON_TYPE = { "content-type": "application/json" };

test("nothing that a stranger sends to a route of signed-in people is read: it is refused by its missing token", async () => {
  const guarded = routes.filter(({ security, method }) => security && method !== "GET");
  const answers = await Promise.all(
    guarded.map(async ({ method, url }) => {
      const answer = await site.app.inject({ method, url, headers: JSON_TYPE, payload: "{ no JSON" });
      return [method, url, answer.statusCode];
    }),
  );
  expect(answers.length).toBeGreaterThan(50);
  expect(answers).toEqual(guarded.map(({ method, url }) => [method, url, 401]));
});

test("a stranger's body has 64 kB at the most, wherever strangers may send JSON", async () => {
  const open = routes.filter(
    ({ security, requestBody }) => !security && requestBody?.content?.["application/json"],
  );
  const payload = JSON.stringify({ text: "x".repeat(65 * 1024) });
  const answers = await Promise.all(
    open.map(async ({ method, url }) => {
      const answer = await site.app.inject({ method, url, headers: JSON_TYPE, payload });
      return [method, url, answer.statusCode, answer.json().message];
    }),
  );
  expect(answers.length).toBeGreaterThan(10);
  expect(answers).toEqual(
    open.map(({ method, url }) => [method, url, 413, expect.stringContaining("64 kB")]),
  );
});

test("a body with ten thousand unknown names is answered with a hundred faults", async () => {
  const body = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`a${index}`, 0]));
  const headers = { authorization: owner.authorization };
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/admin/pages/starts/",
    headers,
    payload: body,
  });
  expect([answer.statusCode, answer.json().errors.length <= 100]).toEqual([400, true]);
});

/** Finished files and pictures that everybody gets, a good token or none. They hold nothing of the reader. */
const SAME_FOR_ALL = /^\/(files|pictures|preview)\/|^\/cv\.|^\/api\/(cv|pages)\//;

test("no answer to somebody who is signed in may stay in a cache", async () => {
  const asked = routes.filter(({ method, url }) => method === "GET" && !SAME_FOR_ALL.test(url));
  const answers: unknown[] = [];
  for (const { url } of asked) {
    const answer = await site.app.inject({ url, headers: { authorization: owner.authorization } });
    answers.push([url, answer.headers["cache-control"]]);
  }
  expect(answers.length).toBeGreaterThan(50);
  expect(answers).toEqual(asked.map(({ url }) => [url, expect.stringContaining("no-store")]));
});

/** They answer forms of other kinds, of mail clients and providers, which prove themselves. */
const TAKES_OTHERS = /^\/api\/(mail\/(unsubscribe|webhooks)|csp-reports)\//;

test("what takes JSON takes it by its type alone: no form or script of another site can send it unasked", async () => {
  const open = routes.filter(
    ({ security, requestBody, url }) =>
      !security && requestBody?.content?.["application/json"] && !TAKES_OTHERS.test(url),
  );
  const payload = JSON.stringify({ username: owner.username, password: owner.password });
  const types = ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x"];
  const taken: unknown[] = [];
  for (const { method, url } of open) {
    for (const type of types) {
      const answer = await site.app.inject({ method, url, headers: { "content-type": type }, payload });
      if (![400, 415].includes(answer.statusCode)) taken.push([method, url, type, answer.statusCode]);
    }
  }
  expect(open.length).toBeGreaterThan(10);
  expect(taken).toEqual([]);
  const headers = { "content-type": "application/json" };
  const login = await site.app.inject({ method: "POST", url: "/api/users/login/", headers, payload });
  expect(login.statusCode).toBe(200);
});

test.each(["__proto__", "constructor"])(
  "a body with the name %s is refused, however deep it stands",
  async (name) => {
    const bodies = [
      `{"username":"a","password":"b","${name}":{"prototype":{"level":999}}}`,
      `{"username":{"${name}":{"prototype":{"level":999}}},"password":"b"}`,
    ];
    for (const payload of bodies) {
      const answer = await site.app.inject({
        method: "POST",
        url: "/api/users/login/",
        headers: JSON_TYPE,
        payload,
      });
      expect([payload, answer.statusCode]).toEqual([payload, 400]);
    }
    expect(({} as { level?: number }).level).toBeUndefined();
  },
);
