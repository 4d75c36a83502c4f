import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import {
  ADA,
  BEN,
  CEM,
  createTestRooms,
  keepVoiceAway,
  ROOM,
  type TestRooms,
  TOPIC,
  toPerson,
} from "./test-rooms.ts";

keepVoiceAway();

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

const moved = [["phx_error", { reason: "moved" }]];
const count = () => rooms.voice.countSeats(ROOM.public_id);

test("people whose room's process was killed take their seats again elsewhere, and no link is made anew", async () => {
  const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
  await Promise.all([ada.receive(), ben.receive()]);
  expect(count()).toBe(2);
  await rooms.killHome();
  expect(await ada.receive()).toEqual(moved);
  expect(await ben.receive()).toEqual(moved);
  // What it counted went with it.
  expect(count()).toBe(0);
  const seat = (client: typeof ada, join_number: number) => ({
    seat: { id: client.answer.participant_id, join_number },
  });
  const [status, answer] = await ben.ask(TOPIC, "phx_join", seat(ben, 2));
  expect([status, answer]).toMatchObject(["ok", { participant_id: ben.answer.participant_id }]);
  await ben.receive();
  ada.send(TOPIC, "phx_join", seat(ada, 1));
  const roster = (await ada.receive()).find(([event]) => event === "roster_snapshot");
  expect(roster?.[1]).toMatchObject({
    participants: [
      { id: ada.answer.participant_id, join_number: 1 },
      { id: ben.answer.participant_id, join_number: 2 },
    ],
  });
  expect((await ben.receive()).map(([event]) => event)).toEqual(["participant_joined", "roster_update"]);
  expect(count()).toBe(2);
});

test("where the processes don't reach each other rosters say that they may lack people, and nobody there is said to have left", async () => {
  const ada = await rooms.enter(ADA, {}, { isAtHome: true });
  const ben = await rooms.enter(BEN);
  await Promise.all([ada.receive(), ben.receive()]);
  const [adaSeat, benSeat] = [{ id: ada.answer.participant_id }, { id: ben.answer.participant_id }];
  const partly = (participants: object[]) => [
    "roster_snapshot",
    { participants: participants.map((seat) => expect.objectContaining(seat)), is_partial: true },
  ];
  await rooms.setReached(false);
  expect(await ada.receive()).toEqual([partly([adaSeat, benSeat])]);
  expect(await ben.receive()).toEqual(moved);
  const join = { seat: { ...benSeat, join_number: 2 } };
  ben.send(TOPIC, "phx_join", join);
  expect(await ben.receive()).toEqual([partly([benSeat])]);
  rooms.advance(20_000);
  expect(await ada.receive()).toEqual([partly([adaSeat])]);
  await rooms.setReached(true);
  const whole = { participants: [expect.objectContaining(adaSeat)] };
  expect(await ada.receive()).toEqual([["roster_snapshot", whole]]);
  expect((await ben.receive()).at(-1)).toEqual(moved[0]);
  ben.send(TOPIC, "phx_join", join);
  const both = [expect.objectContaining(adaSeat), expect.objectContaining(benSeat)];
  expect(await ben.receive()).toEqual([["roster_snapshot", { participants: both }]]);
  expect((await ada.receive())[0]).toEqual(["participant_joined", expect.objectContaining(benSeat)]);
});

test("a call for a room finds it where it is kept, and nothing where that process is gone", async () => {
  const ada = await rooms.enter(ADA);
  rooms.voice.setMuted(ROOM.public_id, ADA, true);
  expect((await ada.receive()).map(([event]) => event)).toContain("own_mute");
  await rooms.killHome();
  await ada.receive();
  rooms.voice.leave(ROOM.public_id, ADA);
  expect(await ada.receive()).toEqual([]);
  expect(await rooms.voice.reserve(ROOM, toPerson(CEM))).toEqual(expect.any(Date));
  expect(count()).toBe(1);
});

test("a refusal of the process that keeps the room is the call's own", async () => {
  for (const id of [ADA, BEN, CEM]) await rooms.enter(id);
  await settle();
  await expect(rooms.voice.reserve(ROOM, toPerson(9))).rejects.toMatchObject({ code: "room_full" });
});

test("the lobby hears how many sit in a room that another process keeps", async () => {
  const lobby = await rooms.connect(CEM);
  await lobby.ask("voice:lobby", "phx_join");
  await rooms.enter(ADA);
  const changes = (await lobby.receive()).filter(([event]) => event === "room_changed");
  expect(changes.at(-1)?.[1]).toMatchObject({ id: ROOM.public_id, participant_count: 1 });
  rooms.advance(1000);
  await rooms.killHome();
  expect((await lobby.receive()).at(-1)).toMatchObject(["room_changed", { participant_count: 0 }]);
});
