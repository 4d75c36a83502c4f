import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import { Returns } from "./returns.ts";
import { createSeatStore } from "./seats.ts";
import {
  ADA,
  BEN,
  CEM,
  createTestRooms,
  keepVoiceAway,
  MAKER,
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
const join = (answer: { participant_id: string }, join_number: number) => ({
  seat: { id: answer.participant_id, join_number },
});
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
  const [status, answer] = await ben.ask(TOPIC, "phx_join", join(ben.answer, 2));
  expect([status, answer]).toMatchObject(["ok", { participant_id: ben.answer.participant_id }]);
  await ben.receive();
  ada.send(TOPIC, "phx_join", join(ada.answer, 1));
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
  ben.send(TOPIC, "phx_join", join(ben.answer, 2));
  expect(await ben.receive()).toEqual([partly([benSeat])]);
  rooms.advance(20_000);
  expect(await ada.receive()).toEqual([partly([adaSeat])]);
  await rooms.setReached(true);
  const whole = { participants: [expect.objectContaining(adaSeat)] };
  expect(await ada.receive()).toEqual([["roster_snapshot", whole]]);
  expect((await ben.receive()).at(-1)).toEqual(moved[0]);
  ben.send(TOPIC, "phx_join", join(ben.answer, 2));
  const both = [expect.objectContaining(adaSeat), expect.objectContaining(benSeat)];
  expect(await ben.receive()).toEqual([["roster_snapshot", { participants: both }]]);
  expect((await ada.receive())[0]).toEqual(["participant_joined", expect.objectContaining(benSeat)]);
});

test("a line that is sent again is the same one for everybody, at the process that keeps the room next too", async () => {
  const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
  const line = { text: "Tea?", key: "seat-1" };
  const id = `${ADA}.seat-1`;
  const takeTexts = async () => (await ben.receive()).filter(([event]) => event.startsWith("text"));
  await ben.receive();
  for (const _ of ["sent", "sent again"]) expect(await ada.ask(TOPIC, "text", line)).toEqual(["ok", {}]);
  expect(await takeTexts()).toEqual([["text", expect.objectContaining({ id, text: "Tea?" })]]);
  rooms.advance(1000);
  expect((await ben.ask(TOPIC, "text", line))[0]).toBe("ok");
  const cem = await rooms.connect(CEM);
  cem.send(TOPIC, "phx_join");
  expect(await cem.receive()).toContainEqual([
    "texts",
    { texts: [expect.objectContaining({ id }), expect.objectContaining({ id: `${BEN}.seat-1` })] },
  ]);
  await rooms.killHome();
  await ben.ask(TOPIC, "phx_join", join(ben.answer, 2));
  await ada.ask(TOPIC, "phx_join", join(ada.answer, 1));
  expect(await ada.ask(TOPIC, "text", line)).toEqual(["ok", {}]);
  expect(await takeTexts()).toEqual([["text", expect.objectContaining({ id, text: "Tea?" })]]);
});

describe("a full room that moves", () => {
  const full = ["error", { reason: "failed_to_join_room", detail: "full" }];
  const STRANGER = 9;

  test("has a seat for each of its members, and none for a stranger who is quicker", async () => {
    const members = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
    await rooms.killHome();
    const stranger = await rooms.connect(STRANGER);
    for (const [at, member] of members.entries()) {
      expect(await stranger.ask(TOPIC, "phx_join")).toEqual(full);
      await expect(rooms.voice.reserve(ROOM, toPerson(STRANGER))).rejects.toMatchObject({
        code: "room_full",
      });
      expect((await member.ask(TOPIC, "phx_join", join(member.answer, at + 1)))[0]).toBe("ok");
    }
    expect(await stranger.ask(TOPIC, "phx_join")).toEqual(full);
    expect(count()).toBe(3);
    // Who is back, and leaves, is not waited for again.
    await members[0]?.ask(TOPIC, "leave");
    expect((await stranger.ask(TOPIC, "phx_join"))[0]).toBe("ok");
  });

  test("also has one for those who still sit there by the word of the process that hands it on", () => {
    const timers = { now: () => 0, after: () => () => undefined };
    const returns = new Returns({ seats: createSeatStore(), timers, listElsewhere: () => [ADA, BEN] });
    const countFor = (userId: number) => returns.countSeats(ROOM, userId);
    expect([countFor(CEM), countFor(ADA)]).toEqual([1, Number.POSITIVE_INFINITY]);
    returns.turnOut(ROOM.public_id, BEN);
    expect([countFor(CEM), countFor(BEN)]).toEqual([2, 2]);
  });

  test("waits 20 s for its members, and not for who says that they have left", async () => {
    for (const id of [ADA, BEN, CEM]) await rooms.enter(id);
    await rooms.killHome();
    rooms.voice.leave(ROOM.public_id, ADA);
    const stranger = await rooms.connect(STRANGER);
    expect((await stranger.ask(TOPIC, "phx_join"))[0]).toBe("ok");
    const another = await rooms.connect(MAKER);
    rooms.advance(19_999);
    expect(await another.ask(TOPIC, "phx_join")).toEqual(full);
    rooms.advance(1);
    expect((await another.ask(TOPIC, "phx_join"))[0]).toBe("ok");
  });

  test("has one also for whoever sat in it at a process that was cut off, however many have come since", async () => {
    const ben = await rooms.enter(BEN);
    await rooms.enter(ADA, {}, { isAtHome: true });
    await rooms.setReached(false);
    await ben.receive();
    expect((await ben.ask(TOPIC, "phx_join", join(ben.answer, 1)))[0]).toBe("ok");
    rooms.advance(20_000);
    for (const id of [CEM, STRANGER]) await rooms.enter(id, {}, { isAtHome: true });
    await rooms.setReached(true);
    expect(await rooms.connect(MAKER).then((late) => late.ask(TOPIC, "phx_join"))).toEqual(full);
    expect((await ben.ask(TOPIC, "phx_join", join(ben.answer, 1)))[0]).toBe("ok");
    expect(count()).toBe(4);
  });
});

describe("somebody who is removed", () => {
  const remove = () => rooms.voice.measured(ROOM.public_id, BEN, "removed");
  const removed = ["error", { code: "removed", message: expect.any(String) }];

  test("while the room's process dies is out when they come back, seen by nobody, and may enter again", async () => {
    const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
    await rooms.crashHome();
    await remove();
    await ada.ask(TOPIC, "phx_join", join(ada.answer, 1));
    await ben.receive();
    ben.send(TOPIC, "phx_join", join(ben.answer, 2));
    expect(await ben.receive()).toEqual([removed, ["phx_close", {}]]);
    expect(await ada.receive()).toEqual([]);
    expect(count()).toBe(1);
    expect((await ben.ask(TOPIC, "phx_join"))[0]).toBe("ok");
  });

  test("long before they came is let in", async () => {
    await rooms.enter(ADA);
    await rooms.crashHome();
    await remove();
    rooms.advance(20_000);
    await rooms.enter(BEN);
    expect(count()).toBe(1);
  });

  test("from a room whose process isn't reached, or says nothing, stays: the moderator is told", async () => {
    const ben = await rooms.enter(BEN, {}, { isAtHome: true });
    await ben.receive();
    await rooms.setReached(false);
    await expect(remove()).rejects.toMatchObject({ code: "unavailable" });
    await rooms.setReached(true);
    rooms.hangHome();
    await expect(remove()).rejects.toMatchObject({ code: "unavailable" });
  });
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
