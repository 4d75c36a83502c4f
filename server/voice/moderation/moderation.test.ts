import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import type { TestPerson } from "#test/app.ts";
import { openVoice, readRefusal, type VoiceFixture } from "../fixture.ts";
import { findEntry } from "../rooms/room-store.ts";

let voice: VoiceFixture;
type Name = "ada" | "ben" | "maker" | "peer" | "admin" | "owner";
let people: Record<Name, TestPerson>;
let room: VoiceRoom;
let rowId: number;

beforeAll(async () => {
  voice = await openVoice();
  const add = (level: number, name: string) => voice.site.signInAs(level, name);
  people = {
    ada: await add(1, "ada"),
    ben: await add(1, "ben"),
    maker: await add(5, "maker"),
    peer: await add(10, "peer"),
    admin: await add(10, "admin"),
    owner: await add(999, "owner"),
  };
});
beforeEach(async () => {
  await voice.pool.query("DELETE FROM voice_daily_count");
  await voice.pool.query("DELETE FROM voice_room");
  await voice.pool.query("UPDATE account_user SET privacy_settings = privacy_settings - 'is_searchable'");
  room = await voice.makeRoom(people.maker);
  rowId = await voice.getRowId(room);
  await voice.takeAudit();
  voice.rooms.takeCalls();
});
afterAll(() => voice.close());

type Act = (as: Name, whom: Name) => ReturnType<VoiceFixture["call"]>;
const toUrl = (rest: string) => `/voice/rooms/${room.slug}/${rest}`;
const participant = (whom: Name) => toUrl(`participants/${people[whom].userId}/`);
const setMuted =
  (is_muted: boolean): Act =>
  (as, whom) =>
    voice.call("PUT", participant(whom), people[as], { is_muted });
const [mute, unmute] = [setMuted(true), setMuted(false)];
const remove: Act = (as, whom) => voice.call("DELETE", participant(whom), people[as]);
const ban: Act = (as, whom) =>
  voice.call("POST", toUrl("bans/"), people[as], { user_id: String(people[whom].userId) });
const unban: Act = (as, whom) => voice.call("DELETE", toUrl(`bans/${people[whom].userId}/`), people[as]);
const getEntry = (whom: Name) => findEntry(voice.pool, room.id, people[whom].userId);

const MEASURES: readonly [string, Act, string | undefined, string][] = [
  ["mute", mute, "muted", "voice_mute"],
  ["remove", remove, "removed", "voice_remove"],
  ["ban", ban, "banned", "voice_ban"],
];

/** Who acts on whom. */
const REACH: readonly [Name, Name, boolean][] = [
  ["maker", "ada", true],
  ["maker", "admin", false],
  ["maker", "owner", false],
  ["ada", "ben", false],
  ["ada", "maker", false],
  ["admin", "maker", true],
  ["admin", "peer", true],
  ["admin", "owner", false],
  ["owner", "admin", true],
];

for (const [name, act, measure, detail] of MEASURES) {
  test.each(REACH)(
    `${name}: %s on %s is allowed: %s, with its entry, and holds at once`,
    async (as, whom, isAllowed) => {
      const answer = await act(as, whom);
      if (!isAllowed) {
        expect(readRefusal(answer)).toEqual(["403 permission_denied"]);
        expect([await voice.takeAudit(), voice.rooms.takeCalls()]).toEqual([[], []]);
        return;
      }
      expect(answer.statusCode).toBeLessThan(300);
      const { userId } = people[whom];
      expect(voice.rooms.takeCalls()).toEqual([["measured", room.id, userId, measure]]);
      expect(await voice.takeAudit()).toEqual([
        {
          action_type: "UPDATE",
          detail,
          model_name: "room",
          user_id: people[as].userId,
          object_id: String(rowId),
          object_repr: "Tea room",
          change_message: `#${userId}`,
          changes: { participant: { after: { id: userId, repr: `#${userId}` } } },
          ip_address: "127.0.0.1",
        },
      ]);
    },
  );

  test(`${name}: nobody is there to act on, or no room`, async () => {
    const [, number] = [people.ada.userId, people.ada.userId + 1000];
    people.ada = { ...people.ada, userId: number };
    try {
      expect(readRefusal(await act("maker", "ada"))).toEqual(["404 object_not_found"]);
    } finally {
      people.ada = { ...people.ada, userId: number - 1000 };
    }
    room = { ...room, slug: "nowhere" };
    expect(readRefusal(await act("maker", "ada"))).toEqual(["404 room_not_found"]);
  });
}

test("a removal that the room's process wasn't told of is an error, and can be asked for again", async () => {
  voice.rooms.unreached.add(room.id);
  expect(readRefusal(await remove("maker", "ada"))).toEqual(["503 unavailable"]);
  voice.rooms.unreached.clear();
  expect((await remove("maker", "ada")).statusCode).toBe(204);
});

test("a mute by a moderator lasts until it is lifted, and who is muted does not lift it", async () => {
  await mute("maker", "ada");
  expect(await getEntry("ada")).toMatchObject({ isSilenced: true, isBanned: false });
  await voice.takeAudit();
  voice.rooms.takeCalls();
  expect((await mute("maker", "ada")).json()).toEqual({ user_id: String(people.ada.userId), is_muted: true });
  expect(await voice.takeAudit()).toEqual([]);
  voice.rooms.takeCalls();
  expect((await unmute("ada", "ada")).json()).toMatchObject({ is_muted: true });
  expect(voice.rooms.takeCalls()).toEqual([["setMuted", room.id, people.ada.userId, false]]);
  expect(await getEntry("ada")).toMatchObject({ isSilenced: true });
  expect((await unmute("admin", "ada")).json()).toMatchObject({ is_muted: false });
  expect(voice.rooms.takeCalls()).toEqual([["measured", room.id, people.ada.userId, "unmuted"]]);
  expect((await voice.takeAudit()).map(({ detail }) => detail)).toEqual(["voice_unmute"]);
  expect(await getEntry("ada")).toMatchObject({ isSilenced: false });
});

test("somebody mutes themselves, which the log need not know; a creator does not lift their own restriction", async () => {
  expect((await mute("ben", "ben")).json()).toEqual({ user_id: String(people.ben.userId), is_muted: true });
  expect((await unmute("ben", "ben")).json()).toMatchObject({ is_muted: false });
  expect(await voice.takeAudit()).toEqual([]);
  await mute("admin", "maker");
  await ban("admin", "maker");
  expect((await unmute("maker", "maker")).json()).toMatchObject({ is_muted: true });
  expect(readRefusal(await unban("maker", "maker"))).toEqual(["403 permission_denied"]);
});

test.each(["maker", "admin"] as const)("%s does not remove or ban themselves", async (who) => {
  for (const act of [remove, ban])
    expect(readRefusal(await act(who, who))).toEqual(["403 permission_denied"]);
});

test("who is banned neither enters nor gets a ticket, is listed for moderators alone, and comes back once it is lifted", async () => {
  expect((await ban("maker", "ada")).json()).toEqual({
    user_id: String(people.ada.userId),
    display_name: "ada",
    created_at: expect.stringMatching(/Z$/),
  });
  expect((await ban("admin", "ada")).statusCode).toBe(201);
  for (const [method, endpoint] of [
    ["POST", "join"],
    ["GET", "token"],
  ] as const)
    expect(readRefusal(await voice.call(method, toUrl(endpoint), people.ada))).toEqual([
      "403 banned_from_room",
    ]);
  expect((await voice.call("GET", toUrl("bans/"), people.maker)).json()).toMatchObject({
    bans: [{ user_id: String(people.ada.userId) }],
  });
  for (const who of ["ada", "ben"] as const)
    expect(readRefusal(await voice.call("GET", toUrl("bans/"), people[who]))).toEqual([
      "403 permission_denied",
    ]);
  await voice.takeAudit();
  expect((await unban("maker", "ada")).statusCode).toBe(204);
  expect((await voice.takeAudit()).map(({ detail }) => detail)).toEqual(["voice_unban"]);
  expect(readRefusal(await unban("maker", "ada"))).toEqual(["404 object_not_found"]);
  expect((await voice.call("POST", toUrl("join"), people.ada)).statusCode).toBe(200);
});

test("a list of bans names nobody who does not want to be found, but to admins", async () => {
  await voice.pool.query(
    "UPDATE account_user SET privacy_settings = privacy_settings || '{\"is_searchable\": false}' WHERE id = $1",
    [people.ada.userId],
  );
  const hidden = `#${people.ada.userId}`;
  expect((await ban("maker", "ada")).json()).toMatchObject({ display_name: hidden });
  expect((await voice.call("GET", toUrl("bans"), people.maker)).json()).toMatchObject({
    bans: [{ display_name: hidden }],
  });
  expect((await voice.call("GET", toUrl("bans"), people.admin)).json()).toMatchObject({
    bans: [{ display_name: "ada" }],
  });
});

test("a ban of somebody who has been suspended since can be lifted", async () => {
  await ban("maker", "ben");
  await voice.pool.query("UPDATE account_user SET is_active = false WHERE id = $1", [people.ben.userId]);
  expect((await unban("maker", "ben")).statusCode).toBe(204);
  await voice.pool.query("UPDATE account_user SET is_active = true WHERE id = $1", [people.ben.userId]);
});

test("a restriction is lifted in the console by the same rules, and the log names nobody", async () => {
  await ban("owner", "admin");
  await ban("owner", "ada");
  await ban("owner", "peer");
  const list = await voice.call("GET", await voice.toObjects("voice.restriction"), people.admin);
  const { objects } = list.json() as { objects: { id: number; repr: string; user: { id: number } }[] };
  const idOf = (whom: Name) => objects.find(({ user }) => user.id === people[whom].userId)?.id;
  await voice.takeAudit();
  const lift = async (as: Name, whom: Name) =>
    voice.call("DELETE", await voice.toObjects("voice.restriction", `${idOf(whom)}/`), people[as]);
  expect((await lift("maker", "ada")).statusCode).toBe(403);
  expect(readRefusal(await lift("admin", "admin"))).toEqual(["403 permission_denied"]);
  expect((await lift("admin", "peer")).statusCode).toBe(204);
  expect((await lift("admin", "ada")).statusCode).toBe(204);
  const entries = await voice.takeAudit();
  expect(entries.map(({ action_type, detail, object_repr }) => [action_type, detail, object_repr])).toEqual([
    ["DELETE", "voice_unban", "Tea room"],
    ["DELETE", "voice_unban", "Tea room"],
  ]);
  expect(JSON.stringify(entries.map(({ changes }) => changes))).not.toMatch(/\bada\b|\bpeer\b|\bowner\b/);
  expect(await getEntry("ada")).toMatchObject({ isBanned: false });
  const make = await voice.call("POST", await voice.toObjects("voice.restriction"), people.owner, {});
  expect(make.statusCode).toBe(403);
});

test("an entry to a room holds who keeps apart from whom, and a slug is none", async () => {
  await voice.call("PUT", `/voice/blocks/${people.ben.userId}`, people.ada);
  await voice.call("PUT", `/voice/blocks/${people.ada.userId}`, people.maker);
  expect(await getEntry("ada")).toEqual({
    room: expect.objectContaining({ id: rowId, public_id: room.id, created_by_id: people.maker.userId }),
    isBanned: false,
    isSilenced: false,
    blocked: [people.ben.userId],
    blockedBy: [people.maker.userId],
  });
  for (const address of [room.slug, String(rowId), "x"])
    expect(await findEntry(voice.pool, address, people.ada.userId)).toBeUndefined();
});
