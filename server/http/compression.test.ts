import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";

let site: TestApp;
let staff: TestPerson;
beforeAll(async () => {
  site = await createTestApp();
  staff = await site.signInAs(999);
});
afterAll(() => site.close());

/** Large, and what every visitor may read. */
const LARGE = "/api/docs/json";

function get(url: string, encoding: string, method: "GET" | "HEAD" = "GET") {
  const headers = { authorization: staff.authorization, "accept-encoding": encoding };
  return site.app.inject({ method, url, headers });
}

test.each([
  ["br, gzip", "br", brotliDecompressSync],
  ["gzip, deflate, br", "br", brotliDecompressSync],
  ["gzip", "gzip", gunzipSync],
  ["br;q=0, gzip", "gzip", gunzipSync],
] as const)("who takes %s gets %s, with its length", async (encoding, coding, decompress) => {
  const plain = await get(LARGE, "identity");
  const answer = await get(LARGE, encoding);
  expect(answer.headers["content-encoding"]).toBe(coding);
  expect(answer.headers["content-length"]).toBe(String(answer.rawPayload.byteLength));
  expect(answer.rawPayload.byteLength).toBeLessThan(plain.rawPayload.byteLength / 4);
  expect(decompress(answer.rawPayload).toString()).toBe(plain.body);
});

test("who takes none gets it as it is, and caches are told that it could differ", async () => {
  const answer = await get(LARGE, "identity");
  expect(answer.headers["content-encoding"]).toBeUndefined();
  expect(answer.headers.vary).toMatch(/accept-encoding/i);
});

test("HEAD says what GET would", async () => {
  const [got, asked] = [await get(LARGE, "br"), await get(LARGE, "br", "HEAD")];
  for (const name of ["content-encoding", "content-length", "vary"])
    expect([name, asked.headers[name]]).toEqual([name, got.headers[name]]);
  expect(asked.rawPayload.byteLength).toBe(0);
});

test("lists of the console are compressed, small answers and answers with tokens are not", async () => {
  expect((await get("/api/admin/models/", "br")).headers["content-encoding"]).toBe("br");
  expect((await get("/api/users/me/sessions/none/", "br")).headers["content-encoding"]).toBeUndefined();
  const login = await site.app.inject({
    method: "POST",
    url: "/api/users/login/",
    headers: { "accept-encoding": "br" },
    payload: { username: staff.username, password: staff.password },
  });
  expect(login.rawPayload.byteLength).toBeGreaterThan(1024);
  expect(login.headers["content-encoding"]).toBeUndefined();
  expect(login.json().tokens.access_token).toBeTruthy();
});

test("exports stay streams, and pages keep the coding that they have", async () => {
  const { models } = (await get("/api/admin/models/", "identity")).json();

  const out = await get(`/api/admin/models/${models[0].content_type_id}/objects/export/?format=json`, "br");
  expect([out.statusCode, out.headers["content-encoding"]]).toEqual([200, undefined]);
  const page = await get("/en/cv", "br");
  expect(page.headers["content-encoding"]).toBe("br");
  expect(brotliDecompressSync(page.rawPayload).toString()).toContain("<html");
});
