import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { openProfiles, type Person, type ProfilesFixture, readFaults } from "../profile/fixture.ts";

let profiles: ProfilesFixture;
let viewer: Person;
let admin: Person;
let people: Record<"open" | "hidden" | "quiet" | "private" | "called", Person>;

beforeAll(async () => {
  profiles = await openProfiles();
  viewer = await profiles.addPerson("viewer");
  admin = await profiles.addPerson("an_admin", { level: 10 });
  const names = "first_name = 'Işıl', last_name = 'Örnek', bio = 'Hello', avatar = 'a.webp'";
  const add = (username: string, settings: object) =>
    profiles.addPerson(username, { columns: `${names}, privacy_settings = '${JSON.stringify(settings)}'` });
  people = {
    open: await add("open_p", {}),
    hidden: await add("hidden_p", { is_searchable: false }),
    quiet: await add("quiet_p", { show_online: false }),
    private: await add("private_p", { show_profile: false }),
    called: await add("called_p", { show_profile: false, shown_name: "Şimşek" }),
  };
  await profiles.addPerson("unproven_p", { columns: `${names}, is_email_verified = false` });
  const gone = await profiles.addPerson("suspended_p", { columns: names });
  await profiles.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [gone.id]);
});
beforeEach(() => profiles.takeAudit());
afterAll(() => profiles.close());

const get = (url: string, person: Person = viewer) => profiles.call("GET", url, person);
async function listNames(url: string, person: Person = viewer): Promise<string[]> {
  const { users } = (await get(url, person)).json() as { users: { id: number }[] };
  const { rows } = await profiles.pool.query<{ username: string }>(
    "SELECT username FROM account_user WHERE id = ANY($1::integer[])",
    [users.map(({ id }) => id)],
  );
  return rows.map(({ username }) => username).sort();
}

const ROUTES: [string, "GET" | "PUT" | "POST", string, object | undefined][] = [
  ["voice preferences", "GET", "/voice/users/voice-preferences", undefined],
  ["changed voice preferences", "PUT", "/voice/users/voice-preferences", {}],
  ["notification preferences", "GET", "/voice/users/notification-preferences", undefined],
  ["changed notification preferences", "PUT", "/voice/users/notification-preferences", {}],
  ["privacy settings", "GET", "/voice/users/privacy-settings/", undefined],
  ["changed privacy settings", "PUT", "/voice/users/privacy-settings/", {}],
  ["status", "PUT", "/voice/users/status", { status: "busy" }],
  ["who is online", "GET", "/voice/users/online/", undefined],
  ["search", "GET", "/voice/users/search?q=open", undefined],
  ["a person by name", "GET", "/voice/users/by-username/open_p", undefined],
  ["a person by number", "GET", "/voice/users/phoenix/1", undefined],
  ["the own state", "POST", "/voice/users/1/sync", undefined],
];

test.each(ROUTES)(
  "%s: not for strangers, the unproven and guests, nor under another person's number",
  async (_, method, url, payload) => {
    const id = Math.random().toString(36).slice(2, 8);
    const unproven = await profiles.addPerson(`u_${id}`, { level: 0, columns: "is_email_verified = false" });
    const guest = await profiles.addPerson(`g_${id}`, { level: 0 });
    expect((await profiles.call(method, url, undefined, payload)).statusCode).toBe(401);
    for (const person of [unproven, guest])
      expect((await profiles.call(method, url, person, payload)).json().code).toBe("permission_denied");
    const as = (named: string) => profiles.call(method, url, viewer, payload, { "x-user-id": named });
    expect((await as(String(admin.id))).statusCode).toBe(403);
    expect((await as("")).statusCode).toBe(403);
    expect((await as(String(viewer.id))).statusCode).toBeLessThan(300);
  },
);

test("preferences are read whole and written by the key, with an entry in the log", async () => {
  const url = "/voice/users/voice-preferences";
  expect((await get(url)).json()).toMatchObject({ sensitivity: 25, quality: "medium", volume: 1 });
  const answer = await profiles.call("PUT", url, viewer, { quality: "low", volume: 0.5 });
  expect(answer.json()).toMatchObject({ sensitivity: 25, quality: "low", volume: 0.5 });
  expect((await get(url)).json()).toEqual(answer.json());
  expect(await profiles.takeAudit()).toEqual([
    expect.objectContaining({
      action_type: "UPDATE",
      user_id: viewer.id,
      changes: { voice_preferences: { before: {}, after: { quality: "low", volume: 0.5 } } },
    }),
  ]);
  const wrong = await profiles.call("PUT", url, viewer, { quality: "best", sensitivity: 51, loud: true });
  expect([wrong.statusCode, ...readFaults(wrong)]).toEqual([
    400,
    "voice_preferences.loud unknown_field",
    "voice_preferences.quality invalid_value",
    "voice_preferences.sensitivity too_big",
  ]);
  expect((await get(url)).json()).toEqual(answer.json());
  expect((await profiles.call("PUT", url, viewer, [])).statusCode).toBe(400);
});

test("a name for others is short, and no number", async () => {
  const url = "/voice/users/privacy-settings";
  const choose = (shown_name: unknown) => profiles.call("PUT", url, people.private, { shown_name });
  expect((await choose(" Deniz \u0000 ")).json()).toMatchObject({ shown_name: "Deniz", show_profile: false });
  const seen = await get("/voice/users/by-username/private_p");
  expect(seen.json()).toMatchObject({ display_name: "Deniz" });
  expect(readFaults(await choose("#1"))).toEqual(["privacy_settings.shown_name invalid_format"]);
  expect(readFaults(await choose("x".repeat(41)))).toEqual(["privacy_settings.shown_name too_long"]);
  expect(readFaults(await choose(1))).toEqual(["privacy_settings.shown_name invalid_type"]);
  expect((await choose("")).json()).toMatchObject({ shown_name: "" });
});

test("a person by name or number is shown as far as they say", async () => {
  const shown = {
    id: people.open.id,
    display_name: "Işıl Örnek",
    avatar: "/pictures/people/a.webp",
    bio: "Hello",
    status: "online",
  };
  for (const url of ["/voice/users/by-username/OPEN_P", `/voice/users/phoenix/${people.open.id}`])
    expect((await get(url)).json()).toEqual(shown);
  expect((await get("/voice/users/by-username/private_p")).json()).toMatchObject({
    display_name: `#${people.private.id}`,
    avatar: null,
    bio: "",
    status: "online",
  });
  expect((await get("/voice/users/by-username/called_p")).json()).toMatchObject({
    display_name: "Şimşek",
    avatar: null,
  });
  expect((await get("/voice/users/by-username/quiet_p")).json()).toMatchObject({
    bio: "Hello",
    status: "offline",
  });
  expect((await get("/voice/users/by-username/private_p", people.private)).json().bio).toBe("Hello");
});

test("what people log in with, and what they may do, is said to themselves and to admins", async () => {
  const url = "/voice/users/by-username/open_p";
  const told = { username: "open_p", access_level: 1 };
  expect((await get(url, people.open)).json()).toMatchObject(told);
  expect((await get(url, admin)).json()).toMatchObject(told);
  for (const seen of [url, "/voice/users/search?q=simsek", "/voice/users/online"]) {
    const answer = (await get(seen)).json() as { id: number; users?: { id: number }[] };
    const others = (answer.users ?? [answer]).filter(({ id }) => id !== viewer.id);
    expect(others.length).toBeGreaterThan(0);
    for (const hidden of ["open_p", "quiet_p", "private_p", "called_p", "access_level", "username"])
      expect(JSON.stringify(others)).not.toContain(hidden);
  }
});

test("who doesn't want to be found is there for admins by exact name, and for themselves", async () => {
  const urls = ["/voice/users/by-username/hidden_p", `/voice/users/phoenix/${people.hidden.id}`];
  for (const url of urls) {
    expect((await get(url)).statusCode).toBe(404);
    expect((await get(url, admin)).json().username).toBe("hidden_p");
    expect((await get(url, people.hidden)).json().username).toBe("hidden_p");
  }
  expect(await listNames("/voice/users/search?q=hidden", admin)).toEqual([]);
});

test.each(["unproven_p", "suspended_p", "nobody", "%25", "%00", "x".repeat(30)])(
  "%s is nobody to others",
  async (name) => {
    expect((await get(`/voice/users/by-username/${name}`, admin)).statusCode).toBe(404);
  },
);

test("a search folds letters and finds shown names, or a whole username, never oneself or an e-mail address", async () => {
  const search = (text: string) => listNames(`/voice/users/search?q=${encodeURIComponent(text)}`);
  expect(await search("ISIL ORN")).toEqual(["open_p", "quiet_p"]);
  expect(await search("simsek")).toEqual(["called_p"]);
  expect(await search("PRIVATE_P")).toEqual(["private_p"]);
  // Part by part somebody could spell out what others log in with.
  expect(await search("private")).toEqual([]);
  expect(await search(`#${people.private.id}`)).toEqual([]);
  expect(await search("viewer")).toEqual([]);
  expect(await search("example.org")).toEqual([]);
  expect(await search("open_p@")).toEqual([]);
  expect(await search("o%_p")).toEqual([]);
  expect(await search("\u0301\u0301")).toEqual([]);
  for (const text of ["", "a", " a ", "%00a", "x".repeat(201)])
    expect((await get(`/voice/users/search?q=${text}`)).statusCode).toBe(400);
  expect((await get("/voice/users/search")).statusCode).toBe(400);
});

test("a search ends at 20", async () => {
  await profiles.pool.query(
    `INSERT INTO account_user (username, email, password_hash, access_level_id, is_email_verified, first_name)
     SELECT 'many_' || n, 'many_' || n || '@example.org', 'x', id, true, 'Many'
     FROM access_level, generate_series(1, 25) AS n WHERE level = 1`,
  );
  expect(await listNames("/voice/users/search?q=many")).toHaveLength(20);
});

test("online is who has a session in use, doesn't hide it, and doesn't say otherwise", async () => {
  const online = await listNames("/voice/users/online");
  expect(online).toEqual(expect.arrayContaining(["hidden_p", "open_p", "private_p", "viewer"]));
  for (const absent of ["quiet_p", "unproven_p", "suspended_p", "many_1"])
    expect(online).not.toContain(absent);

  await profiles.takeAudit();
  const away = await profiles.call("PUT", "/voice/users/status", people.open, { status: "away" });
  expect(away.json()).toEqual({ status: "away" });
  expect(await profiles.takeAudit()).toEqual([]);
  expect((await get("/voice/users/by-username/open_p")).json().status).toBe("away");
  expect(await listNames("/voice/users/online")).toContain("open_p");
  await profiles.call("PUT", "/voice/users/status", people.open, { status: "offline" });
  expect(await listNames("/voice/users/online")).not.toContain("open_p");
  const wrong = await profiles.call("PUT", "/voice/users/status", people.open, { status: "asleep" });
  expect(readFaults(wrong)).toEqual(["status invalid_value"]);

  await profiles.pool.query(
    "UPDATE account_session SET last_used_at = last_used_at - interval '16 minutes' WHERE user_id = $1",
    [people.private.id],
  );
  await profiles.pool.query("UPDATE account_session SET ended_at = now() WHERE user_id = $1", [
    people.hidden.id,
  ]);
  const later = await listNames("/voice/users/online");
  expect(later).not.toContain("private_p");
  expect(later).not.toContain("hidden_p");
});

test("people read their own state anew, admins everybody's, others nobody's", async () => {
  const sync = (id: number, person: Person) => profiles.call("POST", `/voice/users/${id}/sync`, person);
  expect((await sync(people.quiet.id, people.quiet)).json()).toMatchObject({
    username: "quiet_p",
    status: "online",
  });
  expect((await sync(people.quiet.id, admin)).json()).toMatchObject({
    username: "quiet_p",
    status: "offline",
  });
  expect((await sync(people.quiet.id, viewer)).statusCode).toBe(403);
  expect((await sync(999_999, admin)).statusCode).toBe(404);
  expect((await profiles.call("POST", "/voice/users/x/sync", viewer)).statusCode).toBe(400);
});
