import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import { settle } from "#test/carriers.ts";
import {
  ADA,
  BEN,
  CEM,
  createTestRooms,
  MAKER,
  ROOM,
  type TestRooms,
  TOPIC,
  toPerson,
} from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

/** @returns until when, or the code of the refusal. */
const reserve = (userId: number): Promise<Date | string> =>
  rooms.voice.reserve(ROOM, toPerson(userId)).catch((error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });
async function count(): Promise<number> {
  await settle();
  return rooms.voice.countSeats(ROOM.public_id);
}

test("a seat that is reserved again is kept no longer than it was", async () => {
  const until = await reserve(ADA);
  rooms.advance(19_000);
  expect(await reserve(ADA)).toEqual(until);
  rooms.advance(1000);
  expect(await count()).toBe(0);
});

test("who lets their seats run out, or gives them back unused, has to wait", async () => {
  const answers: unknown[] = [];
  for (let n = 0; n < 8; n += 1) {
    answers.push(typeof (await reserve(ADA)));
    if (n % 2 === 0) rooms.voice.leave(ROOM.public_id, ADA);
    // 20 s of each minute at the most, once the first ones are spent.
    rooms.advance(20_000);
  }
  expect(answers).toEqual(Array(8).fill("object").fill("string", 7));
  await expect(rooms.voice.reserve(ROOM, toPerson(ADA))).rejects.toMatchObject({
    code: "too_many_requests",
    retryAfterS: 60,
  });
  expect(typeof (await reserve(BEN))).toBe("object");
  rooms.advance(60_000);
  expect(typeof (await reserve(ADA))).toBe("object");
});

test("who takes the seats that they reserve may do so all day", async () => {
  for (let n = 0; n < 20; n += 1) {
    expect(typeof (await reserve(ADA))).toBe("object");
    const ada = await rooms.enter(ADA);
    expect(await count()).toBe(1);
    await ada.ask(TOPIC, "leave");
    expect(await count()).toBe(0);
    rooms.advance(2000);
  }
});

test("asking for a seat of a full room costs nothing", async () => {
  const [first] = [await rooms.enter(MAKER), await rooms.enter(BEN), await rooms.enter(CEM)];
  for (let n = 0; n < 20; n += 1) expect(await reserve(ADA)).toBe("room_full");
  await first.ask(TOPIC, "leave");
  expect(typeof (await reserve(ADA))).toBe("object");
});
