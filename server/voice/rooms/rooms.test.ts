import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type VoiceRoom, voiceRoomsAnswer } from "#contract/voice/rooms.ts";
import type { TestPerson } from "#test/app.ts";
import { meetAtLock } from "#test/meet-at-lock.ts";
import { openVoice, readRefusal, type VoiceFixture } from "../fixture.ts";

let voice: VoiceFixture;
let people: Record<"guest" | "user" | "maker" | "other" | "admin" | "owner", TestPerson>;
const ROOMS = "/voice/rooms";

beforeAll(async () => {
  voice = await openVoice();
  const add = (level: number, name: string) => voice.site.signInAs(level, name);
  people = {
    guest: await add(0, "guest"),
    user: await add(1, "user"),
    maker: await add(5, "maker"),
    other: await add(5, "other"),
    admin: await add(10, "admin"),
    owner: await add(999, "owner"),
  };
});
beforeEach(async () => {
  await voice.pool.query("DELETE FROM voice_daily_count");
  await voice.pool.query("DELETE FROM voice_room");
  await voice.takeAudit();
  voice.rooms.takeCalls();
});
afterAll(() => voice.close());

async function listNames(as: TestPerson): Promise<string[]> {
  const { data } = voiceRoomsAnswer.parse((await voice.call("GET", ROOMS, as)).json());
  return data.map(({ name }) => name);
}

describe("endpoints", () => {
  const ROUTES: readonly ["GET" | "POST" | "PUT" | "DELETE", string, object | undefined][] = [
    ["GET", ROOMS, undefined],
    ["GET", `${ROOMS}/`, undefined],
    ["POST", ROOMS, { name: "A room" }],
    ["POST", `${ROOMS}/`, { name: "A room" }],
    ["GET", `${ROOMS}/{}`, undefined],
    ["GET", `${ROOMS}/{}/`, undefined],
    ["PUT", `${ROOMS}/{}`, { name: "Another" }],
    ["DELETE", `${ROOMS}/{}`, undefined],
    ["POST", `${ROOMS}/{}/join`, {}],
    ["POST", `${ROOMS}/{}/leave/`, {}],
    ["PUT", `${ROOMS}/{}/participants/1`, { is_muted: true }],
    ["DELETE", `${ROOMS}/{}/participants/1/`, undefined],
    ["GET", `${ROOMS}/{}/token/`, undefined],
    ["GET", `${ROOMS}/{}/bans/`, undefined],
    ["POST", `${ROOMS}/{}/bans/`, { user_id: 1 }],
    ["DELETE", `${ROOMS}/{}/bans/1/`, undefined],
    ["POST", `${ROOMS}/{}/reports/`, { user_id: 1, reason: "Rude" }],
    ["GET", "/voice/blocks/", undefined],
    ["PUT", "/voice/blocks/1/", undefined],
    ["DELETE", "/voice/blocks/1", undefined],
  ];

  test.each(ROUTES)(
    "%s %s is not for strangers and guests, nor under another person's number",
    async (method, path, body) => {
      const room = await voice.makeRoom(people.maker);
      const url = path.replace("{}", room.slug);
      const nonsense = body && { nonsense: true };
      expect((await voice.call(method, url, undefined, nonsense)).statusCode).toBe(401);
      expect(readRefusal(await voice.call(method, url, people.guest, nonsense))).toEqual([
        "403 permission_denied",
      ]);
      const named = { "x-user-id": String(people.admin.userId) };
      expect(readRefusal(await voice.call(method, url, people.maker, body, named))).toEqual([
        "403 permission_denied",
      ]);
      const own = { "x-user-id": String(people.owner.userId) };
      const answer = await voice.call(method, url, people.owner, body, own);
      expect([answer.headers["cache-control"], answer.statusCode === 401]).toEqual(["no-store", false]);
    },
  );
});

describe("the list", () => {
  test("has public rooms for everybody, private ones for their maker and for admins, the newest first", async () => {
    await voice.makeRoom(people.maker, { name: "Open", is_public: true });
    await voice.makeRoom(people.maker, { name: "Closed circle" });
    await voice.makeRoom(people.other, { name: "Other circle" });
    expect(await listNames(people.user)).toEqual(["Open"]);
    expect(await listNames(people.maker)).toEqual(["Closed circle", "Open"]);
    expect(await listNames(people.other)).toEqual(["Other circle", "Open"]);
    for (const admin of [people.admin, people.owner])
      expect(await listNames(admin)).toEqual(["Other circle", "Closed circle", "Open"]);
  });

  test("says how many are in a room, and how large rooms can be", async () => {
    const room = await voice.makeRoom(people.maker, { is_public: true });
    voice.rooms.full.add(room.id);
    expect((await voice.call("GET", ROOMS, people.user)).json()).toMatchObject({
      data: [{ id: room.id, participant_count: 2 }],
      max_seats: 12,
    });
  });
});

describe("a new room", () => {
  test("answers both readings, whoever the body says has made it, and is published and logged", async () => {
    const body = { name: "  Tea  ", description: " Cups ", max_participants: 12, created_by: "999" };
    const answer = await voice.call("POST", ROOMS, people.maker, body);
    const room = answer.json() as VoiceRoom & Record<string, string>;
    expect([answer.statusCode, room]).toEqual([
      201,
      {
        id: expect.stringMatching(/^[\w-]{24}$/),
        room_id: room.id,
        slug: "tea",
        room_slug: "tea",
        name: "Tea",
        room_name: "Tea",
        description: "Cups",
        max_participants: 12,
        is_public: false,
        auto_mute_on_join: false,
        is_active: true,
        created_by: String(people.maker.userId),
        participant_count: 0,
        inserted_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        updated_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
        engine: "mesh",
      },
    ]);
    const id = await voice.getRowId(room);
    expect(voice.rooms.takeCalls()).toEqual([["roomChanged", id]]);
    const [entry, ...rest] = await voice.takeAudit();
    expect(rest).toEqual([]);
    expect(entry).toMatchObject({
      action_type: "CREATE",
      model_name: "room",
      user_id: people.maker.userId,
      object_id: String(id),
      object_repr: "Tea",
      ip_address: "127.0.0.1",
      changes: { name: { after: "Tea" }, max_participants: { after: 12 } },
    });
  });

  test.each([
    [1, "room_creation_denied", "Access denied: access level 5 or higher is needed to create rooms."],
    [4, "room_creation_denied", "Access denied: access level 5 or higher is needed to create rooms."],
  ])("is not for level %i", async (level, code, message) => {
    const person = await voice.site.signInAs(level, `below_${level}`);
    for (const body of [{ name: "Tea room" }, { nonsense: true }])
      expect((await voice.call("POST", ROOMS, person, body)).json()).toMatchObject({ code, message });
  });

  const LONG = "x".repeat(101);
  const FAULTS: readonly [string, object, string, string][] = [
    ["no name", {}, "name", "Room name is required"],
    ["a blank name", { name: "  " }, "name", "Room name is required"],
    ["a short name", { name: " ab " }, "name", "Room name must be at least 3 characters"],
    ["a long name", { name: LONG }, "name", "Room name must be less than 100 characters"],
    [
      "a long description",
      { name: "Tea", description: LONG.repeat(5) },
      "description",
      "Description must be less than 500 characters",
    ],
    [
      "one seat",
      { name: "Tea", max_participants: 1 },
      "max_participants",
      "Max participants must be between 2 and 100",
    ],
    [
      "101 seats",
      { name: "Tea", max_participants: 101 },
      "max_participants",
      "Max participants must be between 2 and 100",
    ],
    [
      "half a seat",
      { name: "Tea", max_participants: 2.5 },
      "max_participants",
      "Max participants must be between 2 and 100",
    ],
    [
      "more seats than a mesh has",
      { name: "Tea", max_participants: 13 },
      "max_participants",
      "Larger rooms need the audio engine, which this site does not run.",
    ],
  ];

  test.each(FAULTS)("with %s is refused in the documented words", async (_, body, field, message) => {
    const answer = await voice.call("POST", ROOMS, people.maker, body);
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors).toEqual([expect.objectContaining({ field, message })]);
    expect(await voice.takeAudit()).toEqual([]);
  });

  test.each(["name", "description"])(
    "with NUL in its %s is refused, and so is a change to it",
    async (field) => {
      const body = { name: "Tea room", [field]: "tea\0room" };
      const refused = ["400 validation_failed", `${field} invalid_format`];
      expect(readRefusal(await voice.call("POST", ROOMS, people.maker, body))).toEqual(refused);
      const room = await voice.makeRoom(people.maker);
      expect(readRefusal(await voice.call("PUT", `${ROOMS}/${room.slug}`, people.maker, body))).toEqual(
        refused,
      );
    },
  );

  test("is refused with all faults at once, and in Turkish where that is asked", async () => {
    const body = { name: "", description: "x".repeat(501), max_participants: 50 };
    const answer = await voice.call("POST", ROOMS, people.maker, body, { "accept-language": "tr" });
    expect(answer.json().errors.map(({ message }: { message: string }) => message)).toEqual([
      "Oda adı zorunludur",
      "Açıklama en fazla 500 karakter olabilir",
      "Daha büyük odalar için ses motoru gerekir; bu sitede ses motoru çalışmıyor.",
    ]);
  });
});

describe("five rooms a day", () => {
  test("are what somebody below level 10 makes; deleting one gives none back, a new day does", async () => {
    for (let made = 0; made < 5; made++) {
      const room = await voice.makeRoom(people.maker);
      await voice.call("DELETE", `${ROOMS}/${room.slug}`, people.maker);
    }
    const sixth = await voice.call("POST", ROOMS, people.maker, { name: "Tea room" });
    expect(sixth.json()).toMatchObject({ code: "too_many_rooms", status: 429 });
    expect(sixth.json().message).toBe(
      "You have made 5 rooms today. You can make the next one tomorrow (UTC).",
    );
    expect(Number(sixth.headers["retry-after"])).toBe(14 * 3600);
    await voice.makeRoom(people.other);
    voice.clock.now += 14 * 3600 * 1000;
    await voice.makeRoom(await voice.site.signInAs(5, "next_day"));
    const again = await voice.site.app.inject({
      method: "POST",
      url: "/api/users/login/",
      payload: { username: people.maker.username, password: people.maker.password },
    });
    const authorization = `Bearer ${again.json().tokens.access_token}`;
    expect((await voice.call("POST", ROOMS, { authorization }, { name: "Tea room" })).statusCode).toBe(201);
    voice.clock.now -= 14 * 3600 * 1000;
  });

  test("are never six, however many ask at once", async () => {
    const calls = Array.from(
      { length: 8 },
      () => () => voice.call("POST", ROOMS, people.maker, { name: "Tea room" }),
    );
    await voice.pool.query(
      "INSERT INTO voice_daily_count (user_id, what, day, made) VALUES ($1, 'room', '2026-05-01', 3)",
      [people.maker.userId],
    );
    const { answers } = await meetAtLock(
      voice.pool,
      (db) => db.query("SELECT FROM voice_daily_count FOR UPDATE"),
      calls,
    );
    expect(answers.map(({ statusCode }) => statusCode).sort()).toEqual([201, 201, ...Array(6).fill(429)]);
  });

  test("do not bind an admin, nor does a refused room count", async () => {
    for (let made = 0; made < 6; made++) await voice.makeRoom(people.admin);
    for (let tries = 0; tries < 6; tries++) await voice.call("POST", ROOMS, people.maker, { name: "" });
    await voice.makeRoom(people.maker);
  });
});

describe("one room", () => {
  test("is found by slug and by id, a private one by whoever has its address, and never by its number", async () => {
    const room = await voice.makeRoom(people.maker);
    const id = await voice.getRowId(room);
    for (const address of [room.slug, room.id])
      expect((await voice.call("GET", `${ROOMS}/${address}`, people.user)).json()).toMatchObject({
        id: room.id,
        slug: room.slug,
        max_seats: 12,
      });
    for (const address of [String(id), String(id + 1), "no-such-room", room.slug.toUpperCase()])
      expect(readRefusal(await voice.call("GET", `${ROOMS}/${address}`, people.user))).toEqual([
        "404 room_not_found",
      ]);
    const answer = await voice.call("GET", `${ROOMS}/${room.slug}`, people.user);
    expect(JSON.stringify(answer.json())).not.toContain(`:${id},`);
  });

  test("of a name that is taken gets another address, which does not show how many there are", async () => {
    const [first, second, third] = [
      await voice.makeRoom(people.maker),
      await voice.makeRoom(people.maker),
      await voice.makeRoom(people.other),
    ];
    expect(first.slug).toBe("tea-room");
    for (const { slug } of [second, third]) expect(slug).toMatch(/^tea-room-[2-9b-df-hj-np-tv-xz]{5}$/);
    expect(second.slug).not.toBe(third.slug);
  });

  const CHANGE = { name: "Coffee", is_public: true, is_active: false, max_participants: 4 };

  test.each([
    ["maker", 200],
    ["admin", 200],
    ["owner", 200],
    ["other", 403],
    ["user", 403],
  ] as const)("is changed by %s: %i, with before and after in the log", async (who, status) => {
    const room = await voice.makeRoom(people.maker);
    const id = await voice.getRowId(room);
    await voice.takeAudit();
    voice.rooms.takeCalls();
    const answer = await voice.call("PUT", `${ROOMS}/${room.slug}`, people[who], CHANGE);
    expect(answer.statusCode).toBe(status);
    if (status === 403) {
      expect([readRefusal(answer), voice.rooms.takeCalls(), await voice.takeAudit()]).toEqual([
        ["403 permission_denied"],
        [],
        [],
      ]);
      return;
    }
    expect(answer.json()).toMatchObject({ ...CHANGE, id: room.id, slug: "tea-room", description: "" });
    expect(voice.rooms.takeCalls()).toEqual([["roomChanged", id]]);
    expect(await voice.takeAudit()).toEqual([
      expect.objectContaining({
        action_type: "UPDATE",
        model_name: "room",
        user_id: people[who].userId,
        object_id: String(id),
        ip_address: "127.0.0.1",
        changes: {
          name: { before: "Tea room", after: "Coffee" },
          is_public: { before: false, after: true },
          is_active: { before: true, after: false },
          max_participants: { before: 10, after: 4 },
        },
      }),
    ]);
  });

  test.each([
    [{ name: "ab" }, "name room_name_too_short"],
    [{ max_participants: 1 }, "max_participants room_size_out_of_range"],
    [{ max_participants: 20 }, "max_participants room_size_needs_engine"],
  ])("is not changed to %j", async (body, fault) => {
    const room = await voice.makeRoom(people.maker);
    const answer = await voice.call("PUT", `${ROOMS}/${room.slug}`, people.maker, body);
    expect(readRefusal(answer)).toEqual(["400 validation_failed", fault]);
  });

  test("that is larger than the site can make now keeps its size when the rest is changed, and gets no larger", async () => {
    const room = await voice.makeRoom(people.maker);
    await voice.pool.query(
      "UPDATE voice_room SET engine = 'mix', max_participants = 20 WHERE public_id = $1",
      [room.id],
    );
    const change = (body: object) => voice.call("PUT", `${ROOMS}/${room.slug}`, people.maker, body);
    const kept = await change({ name: "Coffee", max_participants: 20 });
    expect([kept.statusCode, kept.json()]).toEqual([
      200,
      expect.objectContaining({ name: "Coffee", max_participants: 20 }),
    ]);
    expect(readRefusal(await change({ max_participants: 21 }))).toEqual([
      "400 validation_failed",
      "max_participants room_size_needs_engine",
    ]);
    expect(readRefusal(await change({ max_participants: 101 }))).toEqual([
      "400 validation_failed",
      "max_participants room_size_out_of_range",
    ]);
    expect((await change({ max_participants: 5 })).json()).toMatchObject({ max_participants: 5 });
  });

  test.each([
    ["maker", 204],
    ["admin", 204],
    ["other", 403],
    ["user", 403],
  ] as const)("is deleted by %s: %i", async (who, status) => {
    const room = await voice.makeRoom(people.maker);
    const id = await voice.getRowId(room);
    await voice.takeAudit();
    voice.rooms.takeCalls();
    expect((await voice.call("DELETE", `${ROOMS}/${room.id}`, people[who])).statusCode).toBe(status);
    const isGone = status === 204;
    expect((await voice.call("GET", `${ROOMS}/${room.slug}`, people.user)).statusCode).toBe(
      isGone ? 404 : 200,
    );
    expect(voice.rooms.takeCalls()).toEqual(isGone ? [["roomChanged", id]] : []);
    const entries = await voice.takeAudit();
    expect(entries.map(({ action_type, object_repr }) => [action_type, object_repr])).toEqual(
      isGone ? [["DELETE", "Tea room"]] : [],
    );
  });

  test("is nobody's any more to whom it was, once they have fallen below their level", async () => {
    const demoted = await voice.site.signInAs(10, "demoted");
    const room = await voice.makeRoom(people.maker);
    // Straight in the database: the session cache still knows them as an admin.
    await voice.pool.query(
      "UPDATE account_user SET access_level_id = (SELECT id FROM access_level WHERE level = 1) WHERE id = $1",
      [demoted.userId],
    );
    const answer = await voice.call("PUT", `${ROOMS}/${room.slug}`, demoted, { name: "Mine" });
    expect(readRefusal(answer)).toEqual(["403 permission_denied"]);
    expect(readRefusal(await voice.call("POST", ROOMS, demoted, { name: "Mine" }))).toEqual([
      "403 room_creation_denied",
    ]);
  });
});

describe("a seat", () => {
  test("is reserved for 20 seconds and given back, in one's own name alone", async () => {
    const room = await voice.makeRoom(people.maker);
    voice.rooms.takeCalls();
    const url = `${ROOMS}/${room.slug}`;
    const own = { user_id: String(people.user.userId), display_name: "Whoever" };
    expect((await voice.call("POST", `${url}/join`, people.user, own)).json()).toMatchObject({
      room: { id: room.id },
      expires_at: "2026-05-01T10:00:20.000Z",
    });
    expect((await voice.call("POST", `${url}/join`, people.user)).statusCode).toBe(200);
    expect((await voice.call("POST", `${url}/leave`, people.user, own)).json()).toEqual({});
    expect(voice.rooms.takeCalls()).toEqual([
      ["reserve", room.id, people.user.userId],
      ["reserve", room.id, people.user.userId],
      ["leave", room.id, people.user.userId],
    ]);
    for (const endpoint of ["join", "leave"]) {
      const others = { user_id: people.maker.userId };
      expect(readRefusal(await voice.call("POST", `${url}/${endpoint}`, people.user, others))).toEqual([
        "403 permission_denied",
      ]);
    }
    expect(voice.rooms.takeCalls()).toEqual([]);
  });

  test.each(["join", "token"])("is refused at %s: a full, a closed, an unknown room", async (endpoint) => {
    const room = await voice.makeRoom(people.maker);
    const ask = (slug: string) =>
      voice.call(endpoint === "join" ? "POST" : "GET", `${ROOMS}/${slug}/${endpoint}`, people.user);
    if (endpoint === "join") {
      voice.rooms.full.add(room.id);
      expect(readRefusal(await ask(room.slug))).toEqual(["409 room_full"]);
    }
    await voice.call("PUT", `${ROOMS}/${room.slug}`, people.maker, { is_active: false });
    expect(readRefusal(await ask(room.slug))).toEqual(["409 room_closed"]);
    expect(readRefusal(await ask("nowhere"))).toEqual(["404 room_not_found"]);
  });

  test("has a ticket, which ends in ten minutes", async () => {
    const room = await voice.makeRoom(people.maker);
    expect((await voice.call("GET", `${ROOMS}/${room.id}/token`, people.user)).json()).toEqual({
      room_name: "Tea room",
      token: expect.any(String),
      ice_servers: [],
      expires_at: "2026-05-01T10:10:00.000Z",
    });
  });
});
