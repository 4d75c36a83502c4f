import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { strFromU8, unzipSync } from "fflate";
import { makePhoto } from "#server/pictures/fixture.ts";
import { openProfiles, type Person, type ProfilesFixture } from "./fixture.ts";

let profiles: ProfilesFixture;
let ada: Person;
let grace: Person;
const PATH = "/api/users/export/";

beforeAll(async () => {
  profiles = await openProfiles();
  ada = await profiles.addPerson("ada", { columns: "admin_language = 'tr'" });
  grace = await profiles.addPerson("grace", { level: 0, columns: "is_email_verified = false" });
  for (const [person, name] of [
    [ada, "Ada"],
    [grace, "Grace"],
  ] as const) {
    await profiles.pool.query(
      `INSERT INTO mail_message (token, report_token, message_id, kind, recipient, recipient_key, language, vars, secret, user_id)
       VALUES ($1, $1, $1, 'verification_code', $2, lower($2), 'en', '{"username":"secret-vars"}', 'sealed-code', $3)`,
      [name, `${name.toLowerCase()}@example.org`, person.id],
    );
  }
  const photo = new Blob([new Uint8Array(makePhoto("png"))]);
  await profiles.putForm(ada, { first_name: "Ada", avatar: photo, voice_preferences: '{"volume":0.25}' });
});
afterAll(() => profiles.close());

async function unpack(person: Person, headers = {}): Promise<Record<string, string>> {
  const answer = await profiles.call("GET", PATH, person, undefined, headers);
  expect(answer.statusCode).toBe(200);
  const files = Object.entries(unzipSync(new Uint8Array(answer.rawPayload)));
  return Object.fromEntries(files.map(([name, bytes]) => [name, strFromU8(bytes, name.endsWith(".webp"))]));
}

test("without signing in there is no export, and no HEAD packs one", async () => {
  expect((await profiles.call("GET", PATH)).statusCode).toBe(401);
  const head = await profiles.site.app.inject({ method: "HEAD", url: PATH, headers: ada.headers });
  expect(head.statusCode).toBe(404);
});

test("an export holds the person's own data, and the log says that it was taken", async () => {
  await profiles.takeAudit();
  const answer = await profiles.call("GET", PATH, ada);
  expect(answer.headers).toMatchObject({
    "content-type": "application/zip",
    "content-disposition": 'attachment; filename="foyer-ada-2026-05-01.zip"',
    "cache-control": "no-store",
  });
  expect(await profiles.takeAudit()).toEqual([
    expect.objectContaining({
      action_type: "VIEW",
      detail: "export",
      user_id: ada.id,
      object_id: String(ada.id),
    }),
  ]);
  await profiles.logIn("ada");
  const files = await unpack(ada);
  expect(Object.keys(files).sort()).toEqual([
    "README.txt",
    "activity.json",
    "avatar.webp",
    "mails.json",
    "preferences.json",
    "profile.json",
    "second_factor.json",
    "sessions.json",
    "suppressions.json",
    "voice.json",
  ]);
  expect(JSON.parse(files["profile.json"] ?? "")).toMatchObject({
    id: ada.id,
    username: "ada",
    email: "ada@example.org",
    first_name: "Ada",
    access_level: 1,
    last_login_at: expect.any(String),
  });
  expect(JSON.parse(files["preferences.json"] ?? "")).toMatchObject({ voice_preferences: { volume: 0.25 } });
  expect(JSON.parse(files["sessions.json"] ?? "")).toEqual([
    expect.objectContaining({ ended_at: null }),
    expect.objectContaining({ ended_at: null }),
  ]);
  expect(JSON.parse(files["mails.json"] ?? "")).toEqual([
    expect.objectContaining({ kind: "verification_code", recipient: "ada@example.org", sent_at: null }),
    expect.objectContaining({ kind: "new_sign_in", recipient: "ada@example.org" }),
  ]);
  expect(JSON.parse(files["activity.json"] ?? "")).toEqual([
    expect.objectContaining({ action_type: "LOGIN" }),
  ]);
  expect(files["avatar.webp"]?.slice(8, 12)).toBe("WEBP");
});

test("the log in an export says what was changed in the account, also by others, and of other things only that it was", async () => {
  const person = await profiles.addPerson("edited", { level: 10 });
  await profiles.takeAudit();
  await profiles.putJson(person, { bio: "Mine" });
  await profiles.pool.query(
    `INSERT INTO audit_entry (user_id, username, ip_address, action_type, content_type_id, object_id, change_message, changes)
     SELECT u, name, '203.0.113.9', 'UPDATE', c.id, o, 'Changed', jsonb_build_object('email', jsonb_build_object('after', what))
     FROM content_type c, (VALUES (1, 'an_admin', $1::text, 'mine'), ($1::integer, 'edited', '999999', 'others')) AS e(u, name, o, what)
     WHERE c.model_name = 'user'`,
    [person.id],
  );
  const entries = JSON.parse((await unpack(person))["activity.json"] ?? "");
  expect(entries).toHaveLength(3);
  expect(entries).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ by_you: true, changes: { bio: { before: "", after: "Mine" } } }),
      expect.objectContaining({ by_you: false, ip_address: null, changes: { email: { after: "mine" } } }),
      expect.objectContaining({ by_you: true, change_message: "Changed", changes: null }),
    ]),
  );
  expect(JSON.stringify(entries)).not.toMatch(/an_admin/);
});

test("the exports of two people don't mix, and hold no secrets", async () => {
  const [adas, graces] = [await unpack(ada), await unpack(grace)].map((files) => JSON.stringify(files));
  expect(adas).not.toMatch(/grace/i);
  expect(graces).not.toMatch(/\bada\b/i);
  for (const text of [adas, graces])
    expect(text).not.toMatch(/argon2|password_hash|token_hash|sealed-code|secret-vars/);
});

test("the README speaks the person's language, else the request's", async () => {
  expect((await unpack(ada))["README.txt"]).toContain("Bu sitenin ada hakkında sakladıkları");
  expect((await unpack(grace, { "accept-language": "en" }))["README.txt"]).toContain(
    "keeps of grace, packed on May 1, 2026",
  );
  expect((await unpack(grace, { "accept-language": "tr" }))["README.txt"]).toContain("1 Mayıs 2026");
});

test("after ten exports in an hour the next waits", async () => {
  const person = await profiles.addPerson("often");
  for (let taken = 0; taken < 10; taken++)
    expect((await profiles.call("GET", PATH, person)).statusCode).toBe(200);
  const answer = await profiles.call("GET", PATH, person);
  expect([answer.statusCode, Number(answer.headers["retry-after"])]).toEqual([429, 3600]);
});
