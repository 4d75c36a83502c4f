import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { LOBBY_TOPIC } from "#contract/voice-lobby.ts";
import { ADA, ADMIN, BEN, CEM, createTestRooms, ROOM, type TestRooms, TOPIC } from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(() => {
  rooms = createTestRooms();
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
  await cem.hear();
  rooms.advance(1000);
  await rooms.enter(BEN);
  rooms.advance(1000);
  expect(await cem.hear()).toEqual([]);
});

test("a room that was made private while its last count waits isn't told as it was", async () => {
  const cem = await joinLobby(CEM);
  const ada = await rooms.enter(ADA);
  await ada.ask(TOPIC, "leave");
  rooms.write({ is_public: false, name: "Secret plans" });
  await rooms.voice.roomChanged(ROOM.id);
  await cem.hear();
  rooms.advance(1000);
  expect(await cem.hear()).toEqual([]);
});

test("a room that was deleted doesn't come back", async () => {
  const cem = await joinLobby(CEM);
  await rooms.enter(ADA);
  await rooms.enter(BEN);
  rooms.rows.delete(ROOM.id);
  await rooms.voice.roomChanged(ROOM.id);
  await rooms.notice("voice.room", [ROOM.id]);
  expect((await cem.hear()).at(-1)).toEqual(["room_removed", { id: ROOM.public_id }]);
  rooms.advance(10_000);
  expect(await cem.hear()).toEqual([]);
});

test("a write is told once, and one that has changed nothing isn't", async () => {
  const [cem, ada] = [await joinLobby(CEM), await rooms.enter(ADA)];
  rooms.write({ name: "Coffee room" });
  await cem.hear();
  await ada.hear();
  await rooms.voice.roomChanged(ROOM.id);
  for (let n = 0; n < 50; n += 1) await rooms.notice("voice.room", [ROOM.id]);
  expect(await cem.hear()).toMatchObject([["room_changed", { name: "Coffee room" }]]);
  expect(await ada.hear()).toMatchObject([["room_updated", { name: "Coffee room" }]]);
});

test("strangers of private rooms read their list again once a second at most, and the last time behind the last write", async () => {
  rooms.write({ is_public: false });
  const [cem, admin] = [await joinLobby(CEM), await joinLobby(ADMIN)];
  for (let n = 0; n < 50; n += 1) {
    rooms.advance(1);
    rooms.write({ name: `Room ${n}` });
    await rooms.voice.roomChanged(ROOM.id);
  }
  expect(await cem.hear()).toEqual([["rooms_changed", {}]]);
  rooms.advance(1000);
  expect(await cem.hear()).toEqual([["rooms_changed", {}]]);
  rooms.advance(10_000);
  expect(await cem.hear()).toEqual([]);
  const heard = await admin.hear();
  expect(heard).toHaveLength(50);
  expect(heard.at(-1)).toMatchObject(["room_changed", { name: "Room 49" }]);
});

test("behind notices that were missed everybody reads their list again", async () => {
  const [cem, admin] = [await joinLobby(CEM), await joinLobby(ADMIN)];
  await rooms.missNotices();
  expect([await cem.hear(), await admin.hear()]).toEqual([[["rooms_changed", {}]], [["rooms_changed", {}]]]);
});
