import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { openProfiles, type Person, type ProfilesFixture } from "./fixture.ts";

const PATH = "/api/users/mail-address/";
const HOUR_MS = 60 * 60 * 1000;

let profiles: ProfilesFixture;
let ada: Person;
let admin: Person;
const EMAIL = "ada@example.org";

beforeAll(async () => {
  profiles = await openProfiles();
  ada = await profiles.addPerson("ada");
  admin = await profiles.addPerson("admin", { level: 10 });
});
afterAll(() => profiles.close());
beforeEach(async () => {
  await signIn();
  await profiles.pool.query("DELETE FROM mail_message; DELETE FROM mail_suppression");
  await profiles.takeAudit();
});

/** Both once more: the clock goes on, and sessions end. */
async function signIn(): Promise<void> {
  for (const person of [ada, admin]) {
    const { tokens } = (await profiles.logIn(person.username)).json();
    person.headers = { authorization: `Bearer ${tokens.access_token}` };
  }
}

let count = 0;
/** A mail that was handed over, and came back where a code is given. */
async function insertMail(
  state: string,
  bounce?: { code: string | null; type?: string; subtype?: string },
  recipient = EMAIL,
): Promise<void> {
  count += 1;
  const at = new Date(profiles.clock.now + count).toISOString();
  const { rows } = await profiles.pool.query(
    `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, status, delivery_state,
                               created_at)
     VALUES ($1, $1, $1, 'password_changed', $2, lower($2), 'en', '{}', 'sent', $3, $4) RETURNING id`,
    [`t${count}`, recipient, state, at],
  );
  if (!bounce) return;
  await profiles.pool.query(
    `INSERT INTO mail_bounce (message_id, email_address, mail_kind, source, verdict, bounce_type, bounce_subtype, status_code, bounced_at)
     VALUES ($1, $2, 'password_changed', 'ses', 'all', $3, $4, $5, $6)`,
    [rows[0].id, recipient, bounce.type ?? "Permanent", bounce.subtype ?? "NoEmail", bounce.code, at],
  );
}

interface Stop {
  address?: string;
  source?: string;
  scope?: string;
  by?: number | null;
}
const stop = ({ address = EMAIL, source = "bounce", scope = "all", by = null }: Stop = {}) =>
  profiles.pool.query(
    "INSERT INTO mail_suppression (address, scope, reason, source, created_by_id) VALUES ($1, $2, 'staff only', $3, $4)",
    [address, scope, source, by],
  );

const get = async (person: Person, lang = "en") =>
  (await profiles.call("GET", PATH, person, undefined, { "accept-language": lang })).json();
const tryAgain = (person: Person) => profiles.call("POST", `${PATH}try/`, person);
const readKinds = async () =>
  (
    await profiles.pool.query(
      "SELECT kind, recipient, user_id FROM mail_message WHERE status = 'pending' ORDER BY id",
    )
  ).rows;

test("nothing is said of an address whose mail arrives, or whose latest mail did", async () => {
  const fine = { email: EMAIL, problem: null, can_try: false, tried_at: null, next_try_at: null };
  expect(await get(ada)).toEqual(fine);
  await insertMail("bounced", { code: "5.1.1" });
  await insertMail("sent");
  expect(await get(ada)).toEqual(fine);
  await profiles.pool.query(
    `INSERT INTO mail_suppression (address, scope, reason, source, expires_at) VALUES ($1, 'all', '', 'bounce', $2)`,
    [EMAIL, new Date(profiles.clock.now - 1).toISOString()],
  );
  expect(await get(ada)).toEqual(fine);
});

test("a person is shown that the latest mail came back, and why, in their language", async () => {
  await insertMail("delivered");
  await insertMail("bounced", { code: "4.2.2", type: "Transient", subtype: "MailboxFull" });
  await insertMail("suppressed");
  expect(await get(ada)).toMatchObject({
    problem: { state: "returned", cause: "bounce", scope: null, reason: "The mailbox is full." },
    can_try: true,
  });
  expect((await get(ada, "tr")).problem.reason).toBe("Posta kutusu dolu.");
});

test.each([
  ["bounce", "bounce", true, "There is no such mailbox."],
  ["complaint", "complaint", true, "A mail from here was reported as unwanted."],
  ["unsubscribe", "unsubscribe", true, "The link in a mail was used that stops such mails."],
  ["admin", "staff", false, "Somebody who looks after the site stopped it."],
])(
  "a suppression of source %s is shown as %s, without what staff wrote",
  async (source, cause, canTry, reason) => {
    await insertMail("bounced", { code: "5.1.1" });
    await stop({ source, scope: "optional" });
    expect(await get(ada)).toMatchObject({
      problem: { state: "stopped", cause, scope: "optional", reason },
      can_try: canTry,
    });
  },
);

test("what staff stopped because of a bounce is staff's", async () => {
  await stop({ by: admin.id });
  expect(await get(ada)).toMatchObject({ problem: { cause: "staff" }, can_try: false });
  const answer = await tryAgain(ada);
  expect([answer.statusCode, answer.json().code]).toEqual([403, "permission_denied"]);
  expect(await readKinds()).toEqual([]);
});

test("what staff stopped at a bounce stays staff's when their account is gone", async () => {
  await insertMail("bounced", { code: "5.1.1" });
  await stop();
  await profiles.pool.query(
    `UPDATE mail_bounce SET unsubscribed_by = 'staff', suppression_id = (SELECT id FROM mail_suppression)`,
  );
  expect(await get(ada)).toMatchObject({ problem: { cause: "staff" }, can_try: false });
  expect((await tryAgain(ada)).statusCode).toBe(403);
});

describe("trying again", () => {
  test("lifts what the person may, sends a mail, and is noted", async () => {
    await insertMail("bounced", { code: "5.1.1" });
    await stop();
    await stop({ scope: "optional", source: "admin" });
    const answer = await tryAgain(ada);
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ tried_at: "2026-05-01T10:00:00.000Z", can_try: false });
    const { rows } = await profiles.pool.query("SELECT scope, source FROM mail_suppression");
    expect(rows).toEqual([{ scope: "optional", source: "admin" }]);
    expect(await readKinds()).toEqual([{ kind: "address_check", recipient: EMAIL, user_id: ada.id }]);
    const audit = await profiles.takeAudit();
    expect(audit.map(({ action_type, detail, user_id }) => [action_type, detail, user_id])).toEqual([
      ["DELETE", "try_address", ada.id],
      ["UPDATE", "try_address", ada.id],
    ]);
  });

  test("is free once an hour and three times a day, however often it is pressed", async () => {
    await insertMail("bounced", { code: "5.1.1" });
    const both = await Promise.all([tryAgain(ada), tryAgain(ada)]);
    expect(both.map(({ statusCode }) => statusCode).sort()).toEqual([200, 429]);
    expect(await readKinds()).toHaveLength(1);
    expect(both.find(({ statusCode }) => statusCode === 429)?.headers["retry-after"]).toBe("3600");
    for (const [hours, status] of [
      [1, 200],
      [1, 200],
      [1, 429],
      [20, 429],
      [1, 200],
    ] as const) {
      profiles.clock.now += hours * HOUR_MS;
      await signIn();
      expect((await tryAgain(ada)).statusCode).toBe(status);
    }
  });

  test("does nothing where nothing speaks against the address", async () => {
    expect((await tryAgain(ada)).json()).toMatchObject({ problem: null });
    expect(await readKinds()).toEqual([]);
    expect(await profiles.takeAudit()).toEqual([]);
  });
});

test("of an address that is not proven nothing is said or done: it may be somebody else's", async () => {
  const person = await profiles.addPerson("claims", { columns: "is_email_verified = false" });
  await insertMail("bounced", { code: "5.1.1" }, "claims@example.org");
  await stop({ address: "claims@example.org" });
  expect(await get(person)).toMatchObject({ problem: null, can_try: false });
  await tryAgain(person);
  expect(await readKinds()).toEqual([]);
  const { rowCount } = await profiles.pool.query("SELECT FROM mail_suppression");
  expect(rowCount).toBe(1);
});

test("nobody learns of it without signing in, nor from log-in, registration or reset", async () => {
  expect((await profiles.call("GET", PATH)).statusCode).toBe(401);
  expect((await profiles.call("POST", `${PATH}try/`)).statusCode).toBe(401);
  const ask = async () => {
    const reset = { email: EMAIL };
    const answers = [
      await profiles.logIn("ada", "Wrong-Horse-1"),
      await profiles.call("POST", "/api/users/forgot-password/", undefined, reset),
    ];
    return answers.map(({ statusCode, json }) => [statusCode, { ...json(), request_id: "" }]);
  };
  const before = await ask();
  profiles.clock.now += 2 * HOUR_MS;
  await insertMail("bounced", { code: "5.1.1" });
  await stop();
  expect(await ask()).toEqual(before);
});

test("staff see it in the list of users and at one of them, for all of a page in one question", async () => {
  await insertMail("bounced", { code: "5.1.1" });
  await stop({ address: "admin@example.org", source: "admin", scope: "optional" });
  const { users } = (await profiles.call("GET", "/api/users/?page_size=100", admin)).json();
  const states = Object.fromEntries(
    users.map((user: { username: string; mail_state: unknown }) => [user.username, user.mail_state]),
  );
  expect(states).toMatchObject({
    ada: { state: "returned", cause: "bounce", reason: "There is no such mailbox." },
    admin: { state: "stopped", cause: "staff", scope: "optional" },
    claims: null,
  });
  const one = (await profiles.call("GET", `/api/users/${ada.id}/`, admin)).json();
  expect(one.mail_state ?? one.user?.mail_state).toMatchObject({ state: "returned" });
});
