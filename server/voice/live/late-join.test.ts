import { setImmediate as turn } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import type { RoomEngine } from "../engine/engine.ts";
import { ADA, BEN, CEM, createTestRooms, ROOM, type TestRooms, TOPIC, toPerson } from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

const isEvent = (event: string) => (frame: readonly unknown[]) => frame[3] === event;

/** Somebody whose join has read how things were, and is on its way. */
async function startJoin(userId: number) {
  const client = await rooms.connect(userId);
  const release = rooms.holdEntries();
  client.send(TOPIC, "phx_join", {});
  await client.receiveAll();
  return {
    client,
    async arrive() {
      release();
      const frames = await client.receiveAll();
      await turn();
      return [...frames, ...(await client.receiveAll())];
    },
  };
}

test.each(["a moderator", "another endpoint"])(
  "who is banned by %s while they come in is not in the room",
  async (by) => {
    const { arrive } = await startJoin(ADA);
    rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "ban" });
    if (by === "a moderator") rooms.voice.measured(ROOM.public_id, ADA, "banned");
    else await rooms.notice("voice.restriction", [1]);
    const frames = await arrive();
    expect(frames.find(isEvent("error"))?.[4]).toMatchObject({ code: "banned" });
    expect(frames.at(-1)?.[3]).toBe("phx_close");
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(0);
  },
);

test("who is muted while they come in is silenced, one who comes back too", async () => {
  const ben = await rooms.enter(BEN);
  const { arrive } = await startJoin(ADA);
  rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "mute" });
  rooms.voice.measured(ROOM.public_id, ADA, "muted");
  expect((await arrive()).find(isEvent("error"))?.[4]).toMatchObject({ code: "muted" });
  rooms.advance(1000);
  const received = await ben.receive();
  expect(received).toContainEqual(["participant_muted", { user_id: String(ADA), is_muted: true }]);
});

test("who was muted elsewhere stays so while other restrictions are read", async () => {
  const ben = await rooms.enter(BEN);
  const release = rooms.holdNext("listRestrictions");
  await rooms.notice("voice.restriction", [1]);
  rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "mute" });
  await rooms.enter(ADA);
  await ben.receive();
  release();
  await turn();
  rooms.advance(1000);
  expect(await ben.receive()).toEqual([]);
});

test("a room that is closed or deleted while somebody comes in ends for them", async () => {
  for (const isDeleted of [false, true]) {
    rooms.rows.set(ROOM.id, ROOM);
    const { arrive } = await startJoin(ADA);
    if (isDeleted) rooms.rows.delete(ROOM.id);
    else rooms.write({ is_active: false });
    await rooms.notice("voice.room", [ROOM.id]);
    expect((await arrive()).find(isEvent("error"))?.[4]).toMatchObject({ code: "room_closed" });
    expect(rooms.voice.countSeats(ROOM.public_id)).toBe(0);
  }
});

test("a room stays as it was written while somebody comes in", async () => {
  await rooms.enter(BEN);
  const { arrive } = await startJoin(ADA);
  rooms.advance(5);
  rooms.write({ name: "Coffee room", max_participants: 2 });
  await rooms.notice("voice.room", [ROOM.id]);
  const reply = (await arrive()).find(isEvent("phx_reply"));
  expect(reply?.[4]).toMatchObject({ response: { room: { name: "Coffee room" } } });
  const cem = await rooms.connect(CEM);
  expect((await cem.ask(TOPIC, "phx_join"))[1]).toMatchObject({ detail: "full" });
});

test.each([
  ["banned", "banned_from_room"],
  ["closed", "room_closed"],
])("a seat that is reserved by somebody %s meanwhile isn't kept", async (what, code) => {
  const release = rooms.holdEntries();
  const reserving = rooms.voice.reserve(ROOM, toPerson(ADA)).catch((error: unknown) => error);
  if (what === "banned") rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "ban" });
  else rooms.write({ is_active: false });
  release();
  expect(await reserving).toEqual(new AppError(code as "room_closed"));
  expect(rooms.voice.countSeats(ROOM.public_id)).toBe(0);
});

test("who waits for the engine is judged by what holds behind the wait", async () => {
  rooms.close();
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const seat = { offer() {}, candidate() {}, setMuted() {}, leave() {} };
  const engine: RoomEngine = {
    isReachable: () => promise,
    join: () => seat,
    check: async () => ({ status: "healthy" }),
    close: async () => undefined,
  };
  rooms = await createTestRooms({ engine });
  const ada = await rooms.connect(ADA);
  ada.send(TOPIC, "phx_join", {});
  await ada.receiveAll();
  rooms.restrictions.push({ roomId: ROOM.public_id, userId: ADA, kind: "ban" });
  rooms.voice.measured(ROOM.public_id, ADA, "banned");
  resolve(true);
  const refusal = { status: "error", response: { reason: "unauthorized", detail: "banned" } };
  expect((await ada.receiveAll()).map((frame) => frame[4])).toEqual([refusal]);
});
