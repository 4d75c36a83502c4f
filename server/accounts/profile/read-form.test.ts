import { once } from "node:events";
import { Agent, type IncomingMessage, request as sendHttp } from "node:http";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { openProfiles, type Person, type ProfilesFixture, readFaults } from "./fixture.ts";

let profiles: ProfilesFixture;
let ada: Person;

beforeAll(async () => {
  profiles = await openProfiles();
  ada = await profiles.addPerson("ada");
});
afterAll(() => profiles.close());

const part = (name: string, content: string, more = "") =>
  `--x\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${content}\r\n`;

const send = (body: string, type = "multipart/form-data; boundary=x", headers: Record<string, string> = {}) =>
  profiles.call("PUT", "/api/users/profile/", ada, Buffer.from(body), { "content-type": type, ...headers });

test.each([
  ["a field that there isn't", `${part("is_superuser", "1")}--x--`, ["is_superuser unknown_field"]],
  ["a file where text is expected", `${part("bio", "x", '; filename="a.txt"')}--x--`, ["bio invalid_type"]],
  [
    "a file of a name that there isn't",
    `${part("doc", "x", '; filename="a.txt"')}--x--`,
    ["doc invalid_type"],
  ],
  ["a text where a file is expected", `${part("cover", "x")}--x--`, ["cover invalid_file"]],
  ["a text twice", `${part("bio", "1")}${part("bio", "2")}--x--`, ["bio sent_twice"]],
  [
    "two files of one name",
    `${part("avatar", "1", '; filename="a"')}${part("avatar", "2", '; filename="b"')}--x--`,
    ["avatar sent_twice"],
  ],
  ["a text of 100 kB", `${part("bio", "x".repeat(100_000))}--x--`, ["bio too_long"]],
])("%s is a fault of that field", async (_, body, faults) => {
  const answer = await send(body);
  expect([answer.statusCode, ...readFaults(answer)]).toEqual([400, ...faults]);
});

test("a picker in which nothing was picked changes nothing", async () => {
  const empty = `--x\r\nContent-Disposition: form-data; name="avatar"; filename=""\r\nContent-Type: application/octet-stream\r\n\r\n\r\n`;
  const answer = await send(`${empty}${part("bio", "kept")}--x--`);
  expect([answer.statusCode, answer.json().bio, answer.json().avatar]).toEqual([200, "kept", null]);
});

test.each([
  ["no boundary", part("bio", "x"), "multipart/form-data", 400, "malformed_body"],
  ["another boundary", `${part("bio", "x")}--x--`, "multipart/form-data; boundary=y", 400, "malformed_body"],
  ["an early end", part("bio", "x").slice(0, -5), undefined, 400, "malformed_body"],
  ["an early end in a file", part("avatar", "x", '; filename="a"'), undefined, 400, "malformed_body"],
  ["a name of every object", `${part("__proto__", "x")}--x--`, undefined, 400, "malformed_body"],
  ["a hundred parts", `${part("bio", "x").repeat(100)}--x--`, undefined, 400, "malformed_body"],
  ["JSON that breaks off", '{"bio":', "application/json", 400, "malformed_body"],
  ["a list", "[]", "application/json", 400, "malformed_body"],
  ["plain text", "bio=x", "text/plain", 415, "unsupported_media_type"],
  ["another format", "<bio>x</bio>", "application/xml", 415, "unsupported_media_type"],
])("%s is refused whole", async (_, body, type, status, code) => {
  const answer = await send(body, type);
  expect([answer.statusCode, answer.json().code]).toEqual([status, code]);
});

test("a body that says it is far too long isn't read", async () => {
  const answer = await send(`${part("bio", "x")}--x--`, undefined, {
    "content-length": String(100 * 1024 * 1024),
  });
  expect([answer.statusCode, answer.json().code]).toEqual([413, "body_too_large"]);
});

/** Sends pictures until there is an answer, over a connection that may be used again, as a browser's: it isn't closed behind the answer. */
async function sendWithoutEnd(url: URL) {
  const megabyte = Buffer.alloc(1024 * 1024);
  let sent = 0;
  const agent = new Agent({ keepAlive: true });
  const headers = { ...ada.headers, "content-type": "multipart/form-data; boundary=x" };
  const request = sendHttp(new URL("/api/users/profile/", url), { method: "PUT", headers, agent });
  const write = () => {
    if (request.destroyed || sent >= 200) return;
    if (sent % 7 === 0)
      request.write(`${sent ? "\r\n" : ""}${part("avatar", "", '; filename="a"').slice(0, -2)}`);
    sent++;
    if (request.write(megabyte)) setImmediate(write);
    else request.once("drain", write);
  };
  write();
  try {
    const [response] = (await once(request, "response")) as [IncomingMessage];
    return { status: response.statusCode, body: JSON.parse(await text(response)), sent };
  } finally {
    request.on("error", () => undefined).destroy(); // it is cut in the middle of its body
    agent.destroy();
  }
}

test("a body that doesn't say how long it is is read as far as two pictures go, and its client receives why", async () => {
  const url = new URL(await profiles.site.app.listen({ port: 0, host: "127.0.0.1" }));
  const { status, body, sent } = await sendWithoutEnd(url);
  expect([status, body.code]).toEqual([413, "body_too_large"]);
  expect(sent).toBeLessThan(60);
});

test("an empty form changes nothing", async () => {
  expect((await send("--x--")).statusCode).toBe(200);
});
