import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Person, readFaults } from "../profile/fixture.ts";
import { type AdminFixture, openAdmin } from "./fixture.ts";

let site: AdminFixture;
let made = 0;
beforeAll(async () => {
  site = await openAdmin();
});
afterAll(() => site.close());

const addPerson = (level: number) => site.addPerson(`peer_${++made}`, { level });
const toUrl = ({ id }: { id: number }) => `/api/users/${id}/`;

/** Each way in by which a person is written, and the names of fields there. */
const WAYS = [
  ["the documented endpoint", "PUT", (person: Person) => toUrl(person)],
  ["the console's endpoint", "PATCH", (person: Person) => site.objects("user", `${person.id}/`)],
] as const;

const CHANGES = [
  { email: "mine@example.org" },
  { is_email_verified: false },
  { username: "renamed_peer" },
  { first_name: "X" },
  { is_active: false },
] as const;

describe.each(WAYS)("by %s", (_, method, toAddress) => {
  test.each(CHANGES)("staff of one level don't write %j of each other", async (body) => {
    const [me, peer] = [await addPerson(10), await addPerson(10)];
    const before = await site.readUser(peer.id);
    const answer = await site.call(me, method, toAddress(peer), body);
    expect(answer.statusCode).toBe(403);
    expect(readFaults(answer)).toContain(`${Object.keys(body)[0]} peer_protected`);
    expect(await site.readUser(peer.id)).toEqual(before);
    expect((await site.call(peer, "GET", "/api/users/me/")).statusCode).toBe(200);
  });

  test.each(CHANGES.slice(0, 2))("superusers don't write %j of each other", async (body) => {
    const [me, peer] = [await addPerson(999), await addPerson(999)];
    const answer = await site.call(me, method, toAddress(peer), body);
    expect(answer.statusCode).toBe(403);
    expect(readFaults(answer)).toContain(`${Object.keys(body)[0]} own_address_only`);
  });

  test("superusers suspend each other, and whoever is below", async () => {
    const [me, peer, below] = [await addPerson(999), await addPerson(999), await addPerson(10)];
    for (const person of [peer, below])
      expect((await site.call(me, method, toAddress(person), { is_active: false })).statusCode).toBe(200);
  });

  test("people write their own account", async () => {
    const me = await addPerson(10);
    expect((await site.call(me, method, toAddress(me), { first_name: "Ada" })).statusCode).toBe(200);
  });
});

test("in bulk peers are left alone, with the reason, and the others are written", async () => {
  const [me, peer, below] = [await addPerson(10), await addPerson(10), await addPerson(1)];
  const answer = await site.call(me, "POST", site.objects("user", "bulk/"), {
    operation: "update",
    object_ids: [peer.id, below.id],
    data: { is_email_verified: false },
  });
  expect(answer.json()).toMatchObject({
    affected_count: 1,
    refusals: [{ reason: "peer_protected", ids: [peer.id] }],
  });
});

test("a peer is told why, in both languages", async () => {
  const [me, peer] = [await addPerson(10), await addPerson(10)];
  const read = async (lang: string) =>
    (await site.call(me, "PUT", toUrl(peer), { first_name: "X" }, { "accept-language": lang })).json()
      .errors[0].message;
  expect(await read("en")).toMatch(/^This person has the same access level as you\./);
  expect(await read("tr")).toMatch(/^Bu kişinin erişim düzeyi sizinkiyle aynı\./);
});

test("another address of somebody below ends their sessions, and the old address is written to", async () => {
  const [me, person] = [await addPerson(10), await addPerson(1)];
  await site.takeMails();
  const answer = await site.call(me, "PUT", toUrl(person), { email: "moved_away@example.org" });
  expect(answer.statusCode).toBe(200);
  expect(await site.takeMails()).toEqual([`address_changed ${person.username}@example.org`]);
  expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(401);
});

test("one's own address in other letters, or one's own move, ends no session", async () => {
  const me = await addPerson(10);
  expect((await site.call(me, "PUT", toUrl(me), { email: "own_move@example.org" })).statusCode).toBe(200);
  expect((await site.call(me, "GET", "/api/users/me/")).statusCode).toBe(200);
});

describe("an account that has proven no address", () => {
  async function register() {
    const username = `unproven_${++made}`;
    const password = "Correct-Horse-1";
    const email = `${username}@example.org`;
    await site.call(undefined, "POST", "/api/users/register/", {
      username,
      email,
      password,
      password_confirm: password,
    });
    const { rows } = await site.pool.query<{ id: number }>(
      "SELECT id FROM account_user WHERE username = $1",
      [username],
    );
    return { id: rows[0]?.id ?? 0 };
  }

  test("is not let into the console, at once or step by step, until it is vouched for", async () => {
    const owner = await addPerson(999);
    const { id } = await register();
    for (const access_level of [10, 1, 10, 999]) {
      const answer = await site.call(owner, "PUT", toUrl({ id }), { access_level });
      expect(answer.statusCode).toBe(access_level === 1 ? 200 : 400);
      if (access_level !== 1) expect(readFaults(answer)).toEqual(["access_level prove_first"]);
    }
    const vouched = await site.call(owner, "PUT", toUrl({ id }), {
      access_level: 10,
      is_email_verified: true,
    });
    expect(vouched.json()).toMatchObject({ access_level: 10, is_email_verified: true });
  });

  test("in bulk neither", async () => {
    const owner = await addPerson(999);
    const { id } = await register();
    const answer = await site.call(owner, "POST", site.objects("user", "bulk/"), {
      operation: "update",
      object_ids: [id],
      data: { access_level_id: await site.findLevelId(10) },
    });
    expect(answer.json()).toMatchObject({
      affected_count: 0,
      refusals: [{ reason: "prove_first", ids: [id] }],
    });
  });
});

describe("ending somebody's sessions", () => {
  const end = (as: Person | undefined, person: { id: number }, lang = "en") =>
    site.call(as, "DELETE", `${toUrl(person)}sessions/`, undefined, { "accept-language": lang });

  test.each([
    [10, 1, 200],
    [10, 5, 200],
    [10, 10, 403],
    [10, 999, 403],
    [500, 10, 200],
    [999, 500, 200],
    [999, 999, 200],
    [5, 1, 403],
  ])("level %d of a %d: %d", async (own, level, status) => {
    const [me, person] = [await addPerson(own), await addPerson(level)];
    const answer = await end(me, person);
    expect(answer.statusCode).toBe(status);
    if (status === 200) expect(answer.json()).toEqual({ ended: 1 });
    expect((await site.call(person, "GET", "/api/users/me/")).statusCode).toBe(status === 200 ? 401 : 200);
    expect((await site.call(me, "GET", "/api/users/me/")).statusCode).toBe(200);
  });

  test("counts none that are over by themselves", async () => {
    const [me, person] = [await addPerson(10), await addPerson(1)];
    await site.pool.query(
      `INSERT INTO account_session (id, user_id, token_hash, created_at, expires_at)
       VALUES (gen_random_uuid(), $1, 'old', now() - interval '400 days', now() + interval '1 day')`,
      [person.id],
    );
    expect((await end(me, person)).json()).toEqual({ ended: 1 });
  });

  test("is logged, and forgets the person's browsers", async () => {
    const [me, person] = [await addPerson(10), await addPerson(1)];
    await site.takeAudit();
    await end(me, person);
    expect(await site.takeAudit()).toEqual([
      expect.objectContaining({
        action_type: "UPDATE",
        detail: "sessions_ended",
        user_id: me.id,
        object_id: String(person.id),
        object_repr: person.username,
      }),
    ]);
    expect((await site.readUser(person.id))?.device_epoch).toBe(1);
    expect((await site.logIn(person.username)).statusCode).toBe(200);
  });

  test("strangers don't, of nobody, and a peer is told whom to ask", async () => {
    const [me, peer] = [await addPerson(10), await addPerson(10)];
    expect((await end(undefined, peer)).statusCode).toBe(401);
    expect((await end(me, { id: 999_999 })).statusCode).toBe(404);
    expect((await end(me, peer, "tr")).json().errors[0].message).toMatch(
      /^Bu kişinin erişim düzeyi sizinkiyle aynı/,
    );
  });
});
