import { connect } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { orHang } from "#test/until.ts";

let site: TestApp;
let port: number;
beforeAll(async () => {
  site = await createTestApp();
  port = Number(new URL(await site.listen()).port);
});
afterAll(() => site.close());

/** Sends lines as they are, and reads until the server closes. */
function send(lines: readonly string[]): Promise<string> {
  const socket = connect(port, "127.0.0.1", () => socket.write(lines.join("\r\n")));
  let text = "";
  socket.setEncoding("utf8").on("data", (data) => {
    text += data;
  });
  return orHang(
    new Promise((resolve, reject) => {
      socket.once("close", () => resolve(text));
      socket.once("error", reject);
    }),
  );
}
/** How many answers came, and the first one's status. */
const read = (text: string) => ({
  answers: text.match(/HTTP\/1\.1 \d{3}/g)?.length ?? 0,
  status: Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1]),
});
const HIDDEN = "GET /api/health/live HTTP/1.1\r\nHost: site.test\r\n\r\n";

describe("a request that could be read as two", () => {
  test.each([
    ["a length beside chunks", ["Content-Length: 4", "Transfer-Encoding: chunked"]],
    ["two lengths", ["Content-Length: 4", "Content-Length: 0"]],
    ["chunks of an unknown kind", ["Transfer-Encoding: xchunked"]],
    ["chunks in a folded header", ["Transfer-Encoding:", " chunked"]],
    ["a length with a sign", ["Content-Length: +4"]],
  ])("by %s is refused, and nothing behind it is answered", async (_, framing) => {
    const text = await send([
      "POST /api/users/login/ HTTP/1.1",
      "Host: site.test",
      "Content-Type: application/json",
      ...framing,
      "",
      `0\r\n\r\n${HIDDEN}`,
    ]);
    expect(read(text)).toEqual({ answers: 1, status: 400 });
  });
});

test.each(["TRACE", "TRACK", "PROPFIND", "PUT", "DELETE"])(
  "the method %s is none of a page's, and gives nothing of the request back",
  async (method) => {
    const text = await send([
      `${method} /cv HTTP/1.1`,
      "Host: site.test",
      "Cookie: secret=hunter2",
      "Connection: close",
      "",
      "",
    ]);
    expect(text).not.toContain("hunter2");
    expect([400, 404, 405]).toContain(read(text).status);
  },
);

test.each([
  "/files/..%2f..%2fpackage.json",
  "/files/..%252f..%252fpackage.json",
  "/assets/..%2f..%2fpackage.json",
  "/%2e%2e/package.json",
  "/%252e%252e/package.json",
  "/.git/config",
  "/.env",
  "/data/keys/access-token.json",
  "/server/main.ts",
  "/assets/",
  "/files/",
])(
  "%s leads to nothing: it is decoded once, no folder is listed, and only what is built is served",
  async (path) => {
    const text = await send([`GET ${path} HTTP/1.1`, "Host: site.test", "Connection: close", "", ""]);
    expect(read(text).status).toBe(404);
    expect(text).not.toMatch(/"dependencies"|\[core\]|Index of/);
  },
);
