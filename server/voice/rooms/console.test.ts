import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { TestPerson } from "#test/app.ts";
import { openVoice, readRefusal, type VoiceFixture } from "../fixture.ts";

let voice: VoiceFixture;
let admin: TestPerson;
let maker: TestPerson;
let objects: string;

beforeAll(async () => {
  voice = await openVoice();
  admin = await voice.site.signInAs(10, "admin");
  maker = await voice.site.signInAs(5, "maker");
  objects = await voice.toObjects("voice.room");
});
beforeEach(async () => {
  await voice.pool.query("DELETE FROM voice_room");
  await voice.takeAudit();
});
afterAll(() => voice.close());

test("a room that is made in the console is one like any other", async () => {
  const made = await voice.call("POST", objects, admin, { name: "İstanbul Odası", is_public: true });
  expect([made.statusCode, made.json()]).toEqual([
    201,
    expect.objectContaining({
      name: "İstanbul Odası",
      slug: "istanbul-odasi",
      engine: "mesh",
      max_participants: 10,
      is_active: true,
      description: "",
      created_by: { id: admin.userId, repr: "admin" },
    }),
  ]);
  const answer = await voice.call("GET", "/voice/rooms/istanbul-odasi", maker);
  expect(answer.json()).toMatchObject({ created_by: String(admin.userId), is_public: true });
});

test.each([
  ["a short name", { name: "ab" }, "name"],
  ["no name", { name: "" }, "name"],
  ["a long name", { name: "x".repeat(101) }, "name"],
  ["a long description", { name: "Tea room", description: "x".repeat(501) }, "description"],
  ["one seat", { name: "Tea room", max_participants: 1 }, "max_participants"],
  ["101 seats", { name: "Tea room", max_participants: 101 }, "max_participants"],
  ["more seats than a mesh has", { name: "Tea room", max_participants: 13 }, "max_participants"],
])("both endpoints refuse a room with %s, new or changed", async (_, body, field) => {
  const room = await voice.makeRoom(admin);
  const one = `${objects}${await voice.getRowId(room)}/`;
  const answers = [
    await voice.call("POST", objects, admin, body),
    await voice.call("PATCH", one, admin, body),
    await voice.call("POST", "/voice/rooms", admin, body),
    await voice.call("PUT", `/voice/rooms/${room.slug}`, admin, body),
  ];
  for (const answer of answers) {
    expect(answer.statusCode).toBe(400);
    expect(answer.json().errors.map((fault: { field: string }) => fault.field)).toEqual([field]);
  }
});

test("what a room is made with stays: its address, its id, its engine, its maker", async () => {
  const room = await voice.makeRoom(maker);
  const one = `${objects}${await voice.getRowId(room)}/`;
  const given = { name: "Coffee", slug: "mine", public_id: "mine", engine: "mix", created_by: admin.userId };
  expect((await voice.call("PATCH", one, admin, given)).json()).toMatchObject({
    name: "Coffee",
    slug: room.slug,
    public_id: room.id,
    engine: "mesh",
    created_by: { id: maker.userId },
  });
  const emptied = { name: "Coffee", description: null, max_participants: null, is_active: null };
  expect((await voice.call("PUT", one, admin, emptied)).json()).toMatchObject({
    description: "",
    max_participants: 10,
    is_active: true,
  });
});

test("many rooms are closed and deleted at once, each with its entry", async () => {
  const rooms = [await voice.makeRoom(maker, { name: "One" }), await voice.makeRoom(maker, { name: "Two" })];
  const object_ids = await Promise.all(rooms.map((room) => voice.getRowId(room)));
  await voice.takeAudit();
  const bulk = (body: object) => voice.call("POST", `${objects}bulk/`, admin, { object_ids, ...body });
  expect((await bulk({ operation: "update", data: { is_active: false } })).json()).toMatchObject({
    affected_count: 2,
  });
  expect(readRefusal(await voice.call("POST", `/voice/rooms/${rooms[0]?.slug}/join`, maker))).toEqual([
    "409 room_closed",
  ]);
  expect((await bulk({ operation: "update", data: { max_participants: 50 } })).json()).toMatchObject({
    affected_count: 0,
  });
  expect((await bulk({ operation: "delete" })).json()).toMatchObject({ affected_count: 2 });
  const entries = await voice.takeAudit();
  expect(entries.map(({ action_type }) => action_type)).toEqual(["UPDATE", "UPDATE", "DELETE", "DELETE"]);
});

test("whoever made a room below level 10 does not come through the console", async () => {
  const room = await voice.makeRoom(maker);
  const one = `${objects}${await voice.getRowId(room)}/`;
  for (const [method, body] of [
    ["GET", undefined],
    ["PATCH", { name: "Mine" }],
    ["DELETE", undefined],
  ] as const)
    expect((await voice.call(method, one, maker, body)).statusCode).toBe(403);
});
