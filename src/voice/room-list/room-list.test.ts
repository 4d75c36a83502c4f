import { expect, test } from "@jest/globals";
import { voiceRoom } from "#contract/voice-rooms.ts";
import { listSizes, toRoomBody } from "./room-form.ts";
import { findRooms, type RoomListState, reduceRoomList } from "./room-list-state.ts";

const toRoom = (id: string, name: string, description = "") =>
  voiceRoom.parse({ id, name, description, slug: id, is_active: true, max_participants: 10 });
const ROOMS = [
  toRoom("a", "İSTANBUL Odası", "Çay"),
  toRoom("b", "Diyarbakır"),
  toRoom("c", "Tea room", "ISPARTA"),
];

test.each([
  ["istanbul", ["a"]],
  ["ISTANBUL", ["a"]],
  ["cay", ["a"]],
  ["DIYARBAKIR", ["b"]],
  ["diyarbakir", ["b"]],
  ["ısparta", ["c"]],
  ["room", ["c"]],
  ["  ", ["a", "b", "c"]],
  ["nothing", []],
])("a search for %j finds %j, by either language's rules", (search, ids) => {
  expect(findRooms(ROOMS, search).map(({ id }) => id)).toEqual(ids);
});

test("a list that is shown stays while it is read again, and where that fails", () => {
  const loaded: RoomListState = { phase: "loaded", rooms: ROOMS, maxSeats: 12 };
  expect(reduceRoomList(loaded, { type: "asked" })).toBe(loaded);
  expect(reduceRoomList(loaded, { type: "failed", error: new Error("x") })).toBe(loaded);
  expect(reduceRoomList({ phase: "loading" }, { type: "failed", error: "x" })).toEqual({
    phase: "failed",
    error: "x",
  });
});

test("a room that changes stays in its place, a new one comes first, a removed one goes", () => {
  const loaded: RoomListState = { phase: "loaded", rooms: ROOMS, maxSeats: 12 };
  const ids = (state: RoomListState) => (state.phase === "loaded" ? state.rooms.map(({ id }) => id) : []);
  const changed = reduceRoomList(loaded, { type: "changed", room: toRoom("b", "Diyarbakır 2") });
  expect(changed).toMatchObject({ rooms: [{}, { name: "Diyarbakır 2" }, {}] });
  expect(ids(reduceRoomList(changed, { type: "changed", room: toRoom("d", "New") }))).toEqual([
    "d",
    "a",
    "b",
    "c",
  ]);
  expect(ids(reduceRoomList(changed, { type: "removed", id: "a" }))).toEqual(["b", "c"]);
});

const VALUES = {
  name: "Tea",
  description: "",
  max_participants: 10,
  is_public: false,
  auto_mute_on_join: false,
};
test("a room is sent trimmed, and one of another size keeps it", () => {
  expect(toRoomBody({ ...VALUES, name: " Tea ", description: " x " })).toMatchObject({
    name: "Tea",
    description: "x",
  });
  expect(listSizes(10)).toEqual([2, 5, 10, 20, 50, 100]);
  expect(listSizes(7)).toEqual([2, 5, 7, 10, 20, 50, 100]);
});
