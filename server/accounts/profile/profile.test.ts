import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { ownProfile } from "#contract/accounts/own-account.ts";
import { openProfiles, PASSWORD, type Person, type ProfilesFixture, readFaults } from "./fixture.ts";

let profiles: ProfilesFixture;
let ada: Person;
const PATH = "/api/users/profile/";

beforeAll(async () => {
  profiles = await openProfiles();
  ada = await profiles.addPerson("ada");
});
beforeEach(() => profiles.takeAudit());
afterAll(() => profiles.close());

const getProfile = async (person: Person) =>
  ownProfile.parse((await profiles.call("GET", PATH, person)).json());

test.each([
  ["nobody", 401, 401, null],
  ["somebody whose address isn't proven", 200, 403, { level: 0, columns: "is_email_verified = false" }],
  ["a guest", 200, 403, { level: 0 }],
  ["a user", 200, 200, { level: 1 }],
  ["an admin", 200, 200, { level: 10 }],
  ["a superuser", 200, 200, { level: 999 }],
])("%s reads the profile with %i and writes it with %i", async (_, read, written, options) => {
  const username = `level_${Math.random().toString(36).slice(2, 10)}`;
  const person = options ? await profiles.addPerson(username, options) : { headers: { authorization: "" } };
  const seen = await profiles.call("GET", PATH, person);
  expect(seen.statusCode).toBe(read);
  expect(seen.headers["cache-control"]).toBe("no-store");
  expect((await profiles.putJson(person, { bio: "Here." })).statusCode).toBe(written);
});

test("a suspended person neither reads nor writes", async () => {
  const person = await profiles.addPerson("suspended");
  await profiles.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [person.id]);
  const received = new Promise<void>((resolve) =>
    profiles.site.feed.subscribe((key) => key === "accounts.user" && resolve()),
  );
  await profiles.pool.query("SELECT pg_notify('foyer_changed', 'accounts.user')");
  await received;
  expect((await profiles.call("GET", PATH, person)).statusCode).toBe(401);
  expect((await profiles.putJson(person, { bio: "x" })).statusCode).toBe(401);
});

test("a form changes what it sends and nothing else, and the log has before and after", async () => {
  const before = await getProfile(ada);
  profiles.clock.now += 60_000;
  const answer = await profiles.putForm(ada, { first_name: " Ada\u0000 ", bio: "One\r\n\r\nTwo\u0007" });
  expect(answer.statusCode).toBe(200);
  const after = { ...before, first_name: "Ada", bio: "One\n\nTwo", updated_at: "2026-05-01T10:01:00Z" };
  expect(ownProfile.parse(answer.json())).toEqual(after);
  expect(await getProfile(ada)).toEqual(after);
  expect(await profiles.takeAudit()).toEqual([
    expect.objectContaining({
      action_type: "UPDATE",
      detail: "profile",
      user_id: ada.id,
      username: "ada",
      object_id: String(ada.id),
      object_repr: "ada",
      change_message: "Changed bio, first_name",
      changes: { bio: { before: "", after: "One\n\nTwo" }, first_name: { before: "", after: "Ada" } },
    }),
  ]);
});

test("an empty text clears what may be empty", async () => {
  await profiles.putForm(ada, { bio: "x", last_name: "L", admin_language: "tr", admin_theme: "dark" });
  const answer = await profiles.putForm(ada, { bio: "", last_name: " ", admin_language: "" });
  expect(answer.json()).toMatchObject({ bio: "", last_name: "", admin_language: null, admin_theme: "dark" });
  await profiles.putJson(ada, { bio: "y", admin_language: "en" });
  const json = await profiles.putJson(ada, { bio: null, admin_language: null });
  expect(json.json()).toMatchObject({ bio: "", admin_language: null });
});

test("what is as it was writes nothing", async () => {
  const { username, first_name, voice_preferences } = await getProfile(ada);
  await profiles.takeAudit();
  profiles.clock.now += 60_000;
  const before = await getProfile(ada);
  await profiles.putJson(ada, { voice_preferences });
  await profiles.takeAudit();
  const again = await profiles.putJson(ada, {
    username,
    first_name,
    voice_preferences,
    avatar: "",
    cover: null,
  });
  expect(again.statusCode).toBe(200);
  expect(await profiles.takeAudit()).toEqual([]);
  expect((await profiles.putJson(ada, {})).json()).toMatchObject({ username, created_at: before.created_at });
});

test("preferences change by the key, as JSON text or as objects", async () => {
  await profiles.putForm(ada, { voice_preferences: '{"quality":"high"}', privacy_settings: "{}" });
  const answer = await profiles.putJson(ada, {
    voice_preferences: { sensitivity: 40 },
    notification_preferences: { new_sign_in: false },
  });
  expect(answer.json()).toMatchObject({
    voice_preferences: { quality: "high", sensitivity: 40, volume: 1 },
    notification_preferences: { new_sign_in: false },
    privacy_settings: { is_searchable: true },
  });
});

test("all faults come at once, each at its field", async () => {
  const answer = await profiles.putForm(ada, {
    username: "a b",
    email: "nobody",
    bio: "x".repeat(1001),
    first_name: "y".repeat(101),
    admin_theme: "pink",
    admin_language: "de",
    voice_preferences: '{"sensitivity":9,"loudness":3,"__proto__":1}',
    notification_preferences: "no JSON",
    privacy_settings: "[]",
    avatar: "/pictures/people/x.webp",
    access_level: "999",
    password_hash: "x",
  });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ code: "validation_failed", message: "Validation failed" });
  expect(readFaults(answer)).toEqual([
    "access_level unknown_field",
    "admin_language invalid_value",
    "admin_theme invalid_value",
    "avatar invalid_file",
    "bio too_long",
    "email invalid_email",
    "first_name too_long",
    "notification_preferences invalid_format",
    "password_hash unknown_field",
    "privacy_settings invalid_type",
    "username username_invalid",
    "voice_preferences.__proto__ unknown_field",
    "voice_preferences.loudness unknown_field",
    "voice_preferences.sensitivity too_small",
  ]);
  expect(await profiles.takeAudit()).toEqual([]);
});

test.each([
  [{ username: "" }, ["username username_required"]],
  [{ username: " ab " }, ["username too_short"]],
  [{ username: "a".repeat(31) }, ["username too_long"]],
  [{ email: " " }, ["email email_required"]],
  [{ username: null, email: 5 }, ["email invalid_type", "username required"]],
  [{ voice_preferences: { quality: null } }, ["voice_preferences.quality invalid_value"]],
  [{ avatar: 5 }, ["avatar invalid_file"]],
])("%j is refused", async (payload, faults) => {
  const answer = await profiles.putJson(ada, payload);
  expect(answer.statusCode).toBe(400);
  expect(readFaults(answer)).toEqual(faults);
});

test("a new username shows at once, and a taken one in any case is refused with everything else unsaved", async () => {
  const person = await profiles.addPerson("grace");
  expect((await profiles.putJson(person, { username: "ADA", bio: "lost?" })).json()).toMatchObject({
    errors: [{ field: "username", code: "username_taken" }],
  });
  expect(await getProfile(person)).toMatchObject({ username: "grace", bio: "" });
  expect((await profiles.putJson(person, { username: "Grace_H" })).statusCode).toBe(200);
  expect((await profiles.call("GET", "/api/users/me/", person)).json()).toMatchObject({
    username: "Grace_H",
  });
  expect((await profiles.logIn("grace_h")).statusCode).toBe(200);
  expect((await profiles.logIn("grace")).statusCode).toBe(401);
});

test("a new address needs the password, waits for its code, and goes away again with the old one", async () => {
  const person = await profiles.addPerson("hedy");
  const email = "new@example.org";
  expect(readFaults(await profiles.putForm(person, { email }))).toEqual([
    "current_password password_required",
  ]);
  const wrong = await profiles.putForm(person, { email, current_password: "Wrong-Horse-1" });
  expect(readFaults(wrong)).toEqual(["current_password wrong_password"]);
  await profiles.takeAudit();

  const answer = await profiles.putForm(person, { email, current_password: PASSWORD, bio: "both" });
  expect(answer.json()).toMatchObject({ email: "hedy@example.org", pending_email: email, bio: "both" });
  const { rows } = await profiles.pool.query(
    "SELECT kind, recipient FROM mail_message WHERE user_id = $1 ORDER BY id",
    [person.id],
  );
  expect(rows).toEqual([{ kind: "change_email_code", recipient: email }]);
  expect((await profiles.takeAudit()).map(({ changes }) => Object.keys(changes ?? {}).sort())).toEqual([
    ["bio", "pending_email"],
  ]);

  const back = await profiles.putForm(person, { email: "HEDY@example.org" });
  expect(back.json()).toMatchObject({ email: "hedy@example.org", pending_email: null });
  expect(await profiles.takeAudit()).toEqual([
    expect.objectContaining({ changes: { pending_email: { before: email, after: null } } }),
  ]);
});

test("after five new addresses in an hour the next one waits, and nobody gets a mail for it", async () => {
  const person = await profiles.addPerson("mover");
  const move = (email: string) => profiles.putJson(person, { email, current_password: PASSWORD });
  for (let count = 0; count < 5; count++) expect((await move(`m${count}@example.org`)).statusCode).toBe(200);
  const refused = await move("m5@example.org");
  expect([refused.statusCode, refused.json().code]).toEqual([429, "too_many_requests"]);
  expect(Number(refused.headers["retry-after"])).toBe(3600);
  const { rows } = await profiles.pool.query(
    "SELECT recipient FROM mail_message WHERE recipient LIKE 'm_@example.org' ORDER BY id",
  );
  expect(rows.map(({ recipient }) => recipient)).not.toContain("m5@example.org");
  expect((await profiles.putJson(person, { bio: "goes on" })).statusCode).toBe(200);
  profiles.clock.now += 3_600_000;
});

test("new addresses asked for from one network count together with codes", async () => {
  let status = 200;
  for (let count = 0; count < 40 && status !== 429; count++) {
    const person = await profiles.addPerson(`crowd_${count}`);
    status = (
      await profiles.putJson(person, { email: `crowd${count}@example.net`, current_password: PASSWORD })
    ).statusCode;
  }
  expect(status).toBe(429);
  profiles.clock.now += 3_600_000;
});

test("an address that somebody has answers the same, and its owner is notified", async () => {
  const person = await profiles.addPerson("joan");
  const answer = await profiles.putJson(person, { email: "Ada@example.org", current_password: PASSWORD });
  expect(answer.statusCode).toBe(200);
  expect(answer.json()).toMatchObject({ email: "joan@example.org", pending_email: "Ada@example.org" });
  const { rows } = await profiles.pool.query(
    "SELECT kind, user_id FROM mail_message WHERE lower(recipient) = 'ada@example.org'",
  );
  expect(rows).toEqual([{ kind: "account_exists", user_id: ada.id }]);
});

test("two changes at once both stay", async () => {
  const person = await profiles.addPerson("two");
  const answers = await Promise.all([
    profiles.putJson(person, { voice_preferences: { sensitivity: 30 } }),
    profiles.putJson(person, { voice_preferences: { volume: 0.5 } }),
    profiles.putJson(person, { first_name: "Two" }),
  ]);
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect(await getProfile(person)).toMatchObject({
    first_name: "Two",
    voice_preferences: { sensitivity: 30, volume: 0.5 },
  });
});
