import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { OutgoingMail } from "#server/mail/service.ts";
import type { TestPerson } from "#test/app.ts";
import { openVoice, type VoiceFixture } from "../fixture.ts";
import { createNotifyCreator } from "./entry.ts";
import { findRoom, type RoomRow } from "./room-store.ts";

let voice: VoiceFixture;
let maker: TestPerson;
let room: RoomRow;
const mails: OutgoingMail[] = [];
const errors: object[] = [];
let isDown = false;
let notifyCreator: ReturnType<typeof createNotifyCreator>;

beforeAll(async () => {
  voice = await openVoice();
  maker = await voice.site.signInAs(5, "maker");
  const { slug } = await voice.makeRoom(maker);
  const found = await findRoom(voice.pool, slug);
  if (!found) throw new Error("no room");
  room = found;
  notifyCreator = createNotifyCreator({
    pool: voice.pool,
    mail: {
      async queue(_db, mail) {
        if (isDown) throw new Error("no outbox");
        mails.push(mail);
      },
    },
    now: () => new Date(voice.clock.now),
    log: { error: (details) => void errors.push(details) },
  });
});
beforeEach(async () => {
  mails.length = 0;
  errors.length = 0;
  isDown = false;
  await voice.pool.query("UPDATE voice_room SET creator_told_at = NULL");
  await setPreferences({ room_entered: "mail" });
});
afterAll(() => voice.close());

async function setPreferences(preferences: object, more = "is_active = true"): Promise<void> {
  await voice.pool.query(
    `UPDATE account_user SET notification_preferences = $2, admin_language = 'tr', ${more} WHERE id = $1`,
    [maker.userId, JSON.stringify(preferences)],
  );
}

test("who made a room gets one mail an hour about it, in their language, of use for an hour", async () => {
  await notifyCreator(room, "Ada");
  expect(mails).toEqual([
    {
      kind: "room_entered",
      recipient: "maker@example.org",
      language: "tr",
      userId: maker.userId,
      username: "maker",
      roomName: "Tea room",
      roomSlug: "tea-room",
      newcomerName: "Ada",
      expiresAt: "2026-05-01T11:00:00.000Z",
    },
  ]);
  voice.clock.now += 59 * 60_000;
  await Promise.all([notifyCreator(room, "Ben"), notifyCreator(room, "Cem")]);
  expect(mails).toHaveLength(1);
  voice.clock.now += 60_000;
  await Promise.all([notifyCreator(room, "Ben"), notifyCreator(room, "Cem")]);
  expect(mails).toHaveLength(2);
  voice.clock.now -= 3_600_000;
});

test.each([
  ["never chose", {}, undefined],
  ["chose nothing", { room_entered: "off" }, undefined],
  ["chose the browser", { room_entered: "browser" }, undefined],
  ["is suspended", { room_entered: "mail" }, "is_active = false"],
  ["has not proven an address", { room_entered: "mail" }, "is_active = true, is_email_verified = false"],
])("somebody who %s gets none", async (_, preferences, more) => {
  await setPreferences(preferences, more);
  await notifyCreator(room, "Ada");
  expect([mails, errors]).toEqual([[], []]);
  await setPreferences({}, "is_active = true, is_email_verified = true");
});

test("a room without a creator has nobody to notify", async () => {
  await notifyCreator({ ...room, created_by_id: null }, "Ada");
  expect([mails, errors]).toEqual([[], []]);
});

test("a failure is in the log and nowhere else, and the next newcomer is notified of", async () => {
  isDown = true;
  await notifyCreator(room, "Ada");
  expect(errors).toEqual([{ err: expect.any(Error), room: room.id }]);
  isDown = false;
  await notifyCreator(room, "Ada");
  expect(mails).toHaveLength(1);
});
