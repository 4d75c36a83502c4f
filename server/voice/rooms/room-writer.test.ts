import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Actor } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { openVoice, type VoiceFixture } from "../fixture.ts";
import { findRoomById } from "./room-store.ts";
import { createRoomWriter } from "./room-writer.ts";

let voice: VoiceFixture;
let actor: Actor;

beforeAll(async () => {
  voice = await openVoice();
  const { userId, username } = await voice.site.signInAs(10, "admin");
  actor = { userId, username, level: 10, ipAddress: null, requestId: null };
});
afterAll(() => voice.close());

const write = (hasMixer: boolean) => createRoomWriter({ hasMixer, now: () => new Date(voice.clock.now) });
const toValues = (values: object) => new Map(Object.entries(values));

async function make(size: number): Promise<number> {
  const { id } = await write(true).create(
    voice.pool,
    toValues({ name: "Tea", max_participants: size }),
    actor,
  );
  return id;
}

async function resize(id: number, size: number, hasMixer = true): Promise<string> {
  try {
    await write(hasMixer).update(voice.pool, id, toValues({ max_participants: size }), actor);
  } catch (error) {
    if (error instanceof AppError) return error.fields.map(({ code }) => code).join();
    throw error;
  }
  return (await findRoomById(voice.pool, id))?.engine ?? "gone";
}

test.each([
  [2, "mesh"],
  [12, "mesh"],
  [13, "mix"],
  [100, "mix"],
])("a new room of %i has the engine %s, where the site mixes", async (size, engine) => {
  expect(await findRoomById(voice.pool, await make(size))).toMatchObject({ max_participants: size, engine });
});

test("a room keeps its engine: a mesh does not grow beyond what it carries, and a mix may shrink", async () => {
  const mesh = await make(5);
  expect([await resize(mesh, 12), await resize(mesh, 13)]).toEqual(["mesh", "room_size_of_mesh"]);
  const mix = await make(50);
  expect([await resize(mix, 4), await resize(mix, 100)]).toEqual(["mix", "mix"]);
});

test("a large room of a site that has lost its engine is still edited, but not made larger", async () => {
  const mix = await make(50);
  await write(false).update(voice.pool, mix, toValues({ name: "Coffee" }), actor);
  expect((await findRoomById(voice.pool, mix))?.name).toBe("Coffee");
  expect([await resize(mix, 50, false), await resize(mix, 60, false)]).toEqual([
    "mix",
    "room_size_needs_engine",
  ]);
});
