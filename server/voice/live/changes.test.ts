import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { TestPerson } from "#test/app.ts";
import { openVoice, type VoiceFixture } from "../fixture.ts";
import { createLiveReads, type LiveReads } from "./live-reads.ts";

let voice: VoiceFixture;
let reads: LiveReads;
let ada: TestPerson;
let maker: TestPerson;

beforeAll(async () => {
  voice = await openVoice();
  reads = createLiveReads(voice.pool);
  ada = await voice.site.signInAs(1, "ada");
  maker = await voice.site.signInAs(5, "maker");
  await voice.pool.query(
    "UPDATE account_user SET first_name = 'Ada', last_name = 'Örnek', avatar = 'a.webp' WHERE id = $1",
    [ada.userId],
  );
});
afterAll(() => voice.close());

test.each([
  [
    "shows who they are",
    "privacy_settings = '{}'",
    { displayName: "Ada Örnek", avatar: "/pictures/people/a.webp" },
  ],
  ["hides it", `privacy_settings = '{"show_profile": false}'`, { displayName: "ada", avatar: null }],
  ["is suspended", "is_active = false", undefined],
  ["has proven no address", "is_active = true, is_email_verified = false", undefined],
])("somebody who %s is described so", async (_, columns, seen) => {
  await voice.pool.query(`UPDATE account_user SET ${columns} WHERE id = $1`, [ada.userId]);
  const people = await reads.describe([ada.userId, ada.userId, 99_999]);
  expect([...people]).toEqual(seen ? [[ada.userId, { userId: ada.userId, level: 1, ...seen }]] : []);
  await voice.pool.query("UPDATE account_user SET is_active = true, is_email_verified = true WHERE id = $1", [
    ada.userId,
  ]);
});

test("restrictions are those of the named rooms, and nobody is asked for of no rooms", async () => {
  const [room, other] = [await voice.makeRoom(maker), await voice.makeRoom(maker)];
  for (const { slug } of [room, other])
    await voice.call("POST", `/voice/rooms/${slug}/bans`, maker, { user_id: ada.userId });
  expect(await reads.listRestrictions([room.id])).toEqual([
    { roomId: room.id, userId: ada.userId, kind: "ban" },
  ]);
  expect([await reads.listRestrictions([]), [...(await reads.describe([]))]]).toEqual([[], []]);
});

test("those who keep apart are read from both sides", async () => {
  await voice.call("PUT", `/voice/blocks/${maker.userId}`, ada);
  expect([await reads.listApart(ada.userId), await reads.listApart(maker.userId)]).toEqual([
    [maker.userId],
    [ada.userId],
  ]);
});

test("a room is found by its row's number, which notices name", async () => {
  const room = await voice.makeRoom(maker);
  const id = await voice.getRowId(room);
  expect(await reads.findRoomById(id)).toMatchObject({ id, public_id: room.id, created_by_id: maker.userId });
  expect(await reads.findRoomById(id + 1)).toBeUndefined();
});
