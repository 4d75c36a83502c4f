import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { LOBBY_TOPIC } from "#contract/voice/rooms.ts";
import { ADA, ADMIN, BEN, CEM, createTestRooms, MAKER, ROOM, type TestRooms, TOPIC } from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

async function joinLobby(userId: number) {
  const client = await rooms.connect(userId);
  await client.ask(LOBBY_TOPIC, "phx_join");
  return client;
}

test("a room that was made private is private to the lobby, whoever left it and came back before", async () => {
  const cem = await joinLobby(CEM);
  const ada = await rooms.enter(ADA);
  await ada.ask(TOPIC, "leave");
  rooms.advance(100);
  await rooms.enter(ADA);
  rooms.advance(1000);
  rooms.write({ is_public: false, name: "Secret plans" });
  await rooms.voice.roomChanged(ROOM.id);
  await cem.receive();
  rooms.advance(1000);
  await rooms.enter(BEN);
  rooms.advance(1000);
  expect(await cem.receive()).toEqual([]);
});

test("a room that was made private while its last count waits isn't published as it was", async () => {
  const cem = await joinLobby(CEM);
  const ada = await rooms.enter(ADA);
  await ada.ask(TOPIC, "leave");
  rooms.write({ is_public: false, name: "Secret plans" });
  await rooms.voice.roomChanged(ROOM.id);
  await cem.receive();
  rooms.advance(1000);
  expect(await cem.receive()).toEqual([]);
});

test("a room that was deleted doesn't come back", async () => {
  const cem = await joinLobby(CEM);
  await rooms.enter(ADA);
  await rooms.enter(BEN);
  rooms.rows.delete(ROOM.id);
  await rooms.voice.roomChanged(ROOM.id);
  await rooms.notice("voice.room", [ROOM.id]);
  expect((await cem.receive()).at(-1)).toEqual(["room_removed", { id: ROOM.public_id }]);
  rooms.advance(10_000);
  expect(await cem.receive()).toEqual([]);
});

test("a write is published once, and one that has changed nothing isn't", async () => {
  const [cem, ada] = [await joinLobby(CEM), await rooms.enter(ADA)];
  rooms.write({ name: "Coffee room" });
  await cem.receive();
  await ada.receive();
  await rooms.voice.roomChanged(ROOM.id);
  for (let n = 0; n < 50; n += 1) await rooms.notice("voice.room", [ROOM.id]);
  rooms.advance(10_000);
  expect(await cem.receive()).toMatchObject([["room_changed", { name: "Coffee room" }]]);
  expect(await ada.receive()).toMatchObject([["room_updated", { name: "Coffee room" }]]);
});

/** Fifty names, one behind the other. */
async function renameOften() {
  for (let n = 0; n < 50; n += 1) {
    rooms.advance(1);
    rooms.write({ name: `Room ${n}` });
    await rooms.voice.roomChanged(ROOM.id);
  }
}
const names = (received: [string, unknown][], event: string) =>
  received.filter(([name]) => name === event).map(([, room]) => (room as { name: string }).name);

test.each([false, true])(
  "however often a room is written, it is published at once and then twice a second, the last time as it is; somebody in it: %s",
  async (isTaken) => {
    const cem = await joinLobby(CEM);
    const ada = isTaken ? await rooms.enter(ADA) : undefined;
    rooms.advance(1000);
    await Promise.all([cem.receive(), ada?.receive()]);
    await renameOften();
    expect(names(await cem.receive(), "room_changed")).toEqual(["Room 0"]);
    if (ada) expect(names(await ada.receive(), "room_updated")).toEqual(["Room 0"]);
    rooms.advance(500);
    expect(names(await cem.receive(), "room_changed")).toEqual(["Room 49"]);
    if (ada) expect(names(await ada.receive(), "room_updated")).toEqual(["Room 49"]);
    rooms.advance(10_000);
    expect([await cem.receive(), (await ada?.receive()) ?? []]).toEqual([[], []]);
  },
);

test("writes of a private room are sent to its creator and to admins, and to strangers not even that there were any", async () => {
  rooms.write({ is_public: false });
  await rooms.voice.roomChanged(ROOM.id);
  rooms.advance(1000);
  const cem = await joinLobby(CEM);
  const insiders = [await joinLobby(MAKER), await joinLobby(ADMIN)];
  await renameOften();
  rooms.advance(10_000);
  expect(await cem.receive()).toEqual([]);
  for (const insider of insiders)
    expect(names(await insider.receive(), "room_changed")).toEqual(["Room 0", "Room 49"]);
});

test("strangers read their list again when a room is made private, once a second at most, and the last time behind the last change", async () => {
  const [cem, admin] = [await joinLobby(CEM), await joinLobby(ADMIN)];
  for (let n = 0; n < 50; n += 1) {
    rooms.advance(1);
    rooms.write({ is_public: n % 2 === 0 });
    await rooms.voice.roomChanged(ROOM.id);
  }
  const reads = async () => (await cem.receive()).filter(([event]) => event === "rooms_changed");
  expect(await reads()).toHaveLength(1);
  rooms.advance(1000);
  expect(await reads()).toHaveLength(1);
  rooms.advance(10_000);
  expect(await reads()).toEqual([]);
  expect((await admin.receive()).at(-1)).toMatchObject(["room_changed", { is_public: false }]);
});

test("behind notices that were missed everybody reads their list again", async () => {
  const [cem, admin] = [await joinLobby(CEM), await joinLobby(ADMIN)];
  await rooms.missNotices();
  expect([await cem.receive(), await admin.receive()]).toEqual([
    [["rooms_changed", {}]],
    [["rooms_changed", {}]],
  ]);
});
