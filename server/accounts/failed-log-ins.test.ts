import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { createLog } from "#server/log.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createAuthenticator } from "./factors/test-authenticator.ts";

const FILTER = readFileSync(join(import.meta.dirname, "../../docs/fail2ban/filter.d/foyer.conf"), "utf8");
/** fail2ban's own expression, with its word for an address written out. */
const FAILED = new RegExp(
  (/^failregex = (.*)$/m.exec(FILTER)?.[1] ?? "").replace("<ADDR>", String.raw`(?<address>[\d.]+|[\da-f:]+)`),
);

let site: TestApp;
const lines: string[] = [];
beforeAll(async () => {
  const log = createLog({ logLevel: "info" }, { write: (line) => void lines.push(line.trimEnd()) });
  site = await createTestApp({ log, trustProxy: (_address, hop) => hop < 1 });
});
afterAll(() => site.close());
beforeEach(() => {
  lines.length = 0;
});

/** What fail2ban would see. */
const readFailures = () => lines.flatMap((line) => FAILED.exec(line)?.groups?.address ?? []);

const TYPED = "Hunter2-typed";
const EMAIL = "nobody@typed.test";
const NEW = { password: TYPED, password_confirm: TYPED };
const WAYS: readonly [string, object, number][] = [
  ["/api/users/login/", { username: TYPED, password: TYPED }, 401],
  ["/api/auth/token/", { username: TYPED, password: TYPED }, 401],
  ["/api/admin/login/", { username: TYPED, password: TYPED }, 401],
  ["/voice/auth/login", { username: TYPED, password: TYPED }, 401],
  ["/api/users/verify-email/", { email: EMAIL, otp_code: "123456" }, 400],
  ["/api/users/password/reset/", { email: EMAIL, otp_code: "123456", ...NEW }, 400],
  ["/api/users/setup/", { token: TYPED, username: "typed", email: EMAIL, ...NEW }, 403],
];

const post = (url: string, payload: object, address: string) =>
  site.app.inject({ method: "POST", url, payload, headers: { "x-forwarded-for": `6.6.6.6, ${address}` } });

test.each(WAYS)(
  "who fails at %s leaves one line with their address, and nothing that they typed",
  async (...way) => {
    const [url, payload, status] = way;
    expect((await post(url, payload, "203.0.113.7")).statusCode).toBe(status);
    expect(readFailures()).toEqual(["203.0.113.7"]);
    expect(lines.join("\n")).not.toMatch(/typed|123456|6\.6\.6\.6/i);
  },
);

const ORIGIN = "https://site.test";
const PASSKEY_LOG_IN = "/api/users/login/passkey/";

/** Somebody whose password alone lets nobody in: they have a passkey, which isn't here. */
async function addProtected(username: string) {
  const person = await site.signInAs(1, username);
  await site.database.pool.query(
    `INSERT INTO account_passkey (user_id, credential_id, public_key, counter, transports, is_synced, name, created_at)
     VALUES ($1, 'known', 'none', 0, '{}', false, 'Key', now())`,
    [person.userId],
  );
  return person;
}

test("a wrong second factor after the right password is a line, the question for it is none", async () => {
  const { username, password } = await addProtected("protected");
  const asked = await post("/api/users/login/", { username, password }, "203.0.113.10");
  expect(asked.json().code).toBe("second_factor_required");
  expect(readFailures()).toEqual([]);
  const { ticket } = asked.json().second_factor;
  const wrong = await post("/api/users/login/second-factor/", { ticket, code: "123456" }, "203.0.113.10");
  expect(wrong.json().code).toBe("invalid_second_factor");
  expect(readFailures()).toEqual(["203.0.113.10"]);
  expect(lines.join("\n")).not.toContain("123456");
});

test("so is a passkey that nobody knows", async () => {
  const { options, ticket } = (await post(`${PASSKEY_LOG_IN}options/`, {}, "203.0.113.11")).json();
  const passkey = createAuthenticator(ORIGIN).get(options);
  const answer = await post(PASSKEY_LOG_IN, { ticket, passkey }, "203.0.113.11");
  expect(answer.json().code).toBe("passkey_unknown");
  expect(readFailures()).toEqual(["203.0.113.11"]);
});

test("each further one is a line as well when there were too many, and an IPv6 address is read whole", async () => {
  const tries = [1, 2, 3, 4, 5, 6, 7];
  for (const _ of tries)
    await post("/api/users/login/", { username: "one_name", password: TYPED }, "2001:db8::7");
  expect(readFailures()).toEqual(tries.map(() => "2001:db8::7"));
  expect(lines.at(-1)).toContain('"reason":"too_many_logins"');
});

test("a right password that doesn't open the console is a failed log-in there; one that opens the site is none", async () => {
  const { username, password } = await site.signInAs(1);
  expect(readFailures()).toEqual([]);
  const answer = await post("/api/admin/login/", { username, password }, "203.0.113.8");
  expect(answer.statusCode).toBe(403);
  expect(readFailures()).toEqual(["203.0.113.8"]);
});

test("the filter takes the line as the journal shows it, and no line that only names such a thing", async () => {
  await post("/api/users/login/", { username: TYPED, password: TYPED }, "203.0.113.9");
  const line = lines.find((one) => FAILED.test(one)) ?? "";
  expect(FAILED.exec(`host foyer[4711]: ${line}`)?.groups?.address).toBe("203.0.113.9");
  expect(FAILED.test(line.replace(/"time":\d+/, ""))).toBe(true);
  expect(FAILED.test(JSON.stringify({ level: 30, path: line, msg: "request" }))).toBe(false);
});
