import { setImmediate as turn } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { TestPerson } from "#test/app.ts";
import { openVoice, type VoiceFixture } from "../fixture.ts";
import { createLiveReads, createTurns, type LiveReads } from "./changes.ts";
import { ADA, BEN, CEM, createTestRooms, ROOM, type TestRooms, TOPIC } from "./test-rooms.ts";

describe("turns", () => {
  let rooms: TestRooms;
  beforeEach(async () => {
    rooms = await createTestRooms();
  });
  afterEach(() => {
    expect(rooms.errors).toEqual([]);
    rooms.close();
  });

  const mute = { roomId: ROOM.public_id, userId: ADA, kind: "mute" } as const;

  /** What a newcomer sees of Ada, once all that was read is applied. */
  async function seeAda(): Promise<{ is_silenced: boolean; display_name: string }> {
    await turn();
    const cem = await rooms.connect(CEM);
    cem.send(TOPIC, "phx_join", {});
    const [, snapshot] = (await cem.receive()).find(([event]) => event === "roster_snapshot") ?? [];
    const { participants } = snapshot as {
      participants: { user_id: string; is_silenced: boolean; display_name: string }[];
    };
    const ada = participants.find(({ user_id }) => user_id === String(ADA));
    if (!ada) throw new Error("Ada isn't there");
    return ada;
  }

  test("work that fails keeps no other from its turn", async () => {
    const inTurn = createTurns();
    const failed = expect(inTurn(() => Promise.reject(new Error("no database")))).rejects.toThrow(
      "no database",
    );
    expect(await inTurn(async () => "done")).toBe("done");
    await failed;
  });

  test("a mute that was written while an earlier reading is on its way holds", async () => {
    await rooms.enter(ADA);
    const release = rooms.holdNext("listRestrictions");
    await rooms.notice("voice.restriction", [1]);
    rooms.restrictions.push(mute);
    await rooms.notice("voice.restriction", [2]);
    release();
    expect(await seeAda()).toMatchObject({ is_silenced: true });
  });

  test("a moderator's mute holds at once, and no earlier reading lifts it even for a moment", async () => {
    await rooms.enter(ADA);
    const ben = await rooms.enter(BEN);
    await ben.receive();
    const release = rooms.holdNext("listRestrictions");
    await rooms.notice("voice.restriction", [1]);
    rooms.restrictions.push(mute);
    rooms.voice.measured(ROOM.public_id, ADA, "muted");
    release();
    await turn();
    rooms.advance(1000);
    const published = (await ben.receive()).filter(([event]) => event === "participant_muted");
    expect(published).toEqual([["participant_muted", { user_id: String(ADA), is_muted: true }]]);
  });

  test("who is looked at again because of a late join keeps the mute that comes meanwhile", async () => {
    const ada = await rooms.connect(ADA);
    const release = rooms.holdEntries();
    ada.send(TOPIC, "phx_join", {});
    await ada.receiveAll();
    await rooms.notice("voice.room", [ROOM.id]);
    release();
    // The second look.
    const releaseAgain = rooms.holdEntries();
    await ada.receiveAll();
    rooms.restrictions.push(mute);
    rooms.voice.measured(ROOM.public_id, ADA, "muted");
    releaseAgain();
    expect(await seeAda()).toMatchObject({ is_silenced: true });
  });

  test("of two names the later one stays, whichever was read faster", async () => {
    await rooms.enter(ADA);
    const release = rooms.holdNext("describe");
    rooms.names.set(ADA, "Ada Byron");
    await rooms.notice("accounts.user", [ADA]);
    rooms.names.set(ADA, "Ada Lovelace");
    await rooms.notice("accounts.user", [ADA]);
    release();
    expect(await seeAda()).toMatchObject({ display_name: "Ada Lovelace" });
  });

  test("a block that is lifted while it is read is lifted", async () => {
    await rooms.enter(ADA);
    const ben = await rooms.enter(BEN);
    const release = rooms.holdNext("listApart");
    rooms.apart.set(ADA, [BEN]);
    const blocked = rooms.voice.blocksChanged(ADA);
    await turn();
    rooms.apart.clear();
    const lifted = rooms.voice.blocksChanged(ADA);
    await turn();
    release();
    await Promise.all([blocked, lifted]);
    const published = (await ben.receive()).filter(([event]) => event === "apart");
    expect(published.at(-1) ?? ["apart", { user_ids: [] }]).toEqual(["apart", { user_ids: [] }]);
  });
});

describe("changes", () => {
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
    ["hides it", `privacy_settings = '{"show_profile": false}'`, { displayName: "#ID", avatar: null }],
    [
      "hides it behind another name",
      `privacy_settings = '{"show_profile": false, "shown_name": "Countess"}'`,
      { displayName: "Countess", avatar: null },
    ],
    ["is suspended", "is_active = false", undefined],
    ["has proven no address", "is_active = true, is_email_verified = false", undefined],
  ])("somebody who %s is described so", async (_, columns, seen) => {
    await voice.pool.query(`UPDATE account_user SET ${columns} WHERE id = $1`, [ada.userId]);
    const people = await reads.describe([ada.userId, ada.userId, 99_999]);
    const displayName = seen?.displayName.replace("ID", String(ada.userId));
    expect([...people]).toEqual(
      seen ? [[ada.userId, { userId: ada.userId, level: 1, ...seen, displayName }]] : [],
    );
    await voice.pool.query(
      "UPDATE account_user SET is_active = true, is_email_verified = true WHERE id = $1",
      [ada.userId],
    );
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
    expect(await reads.findRoomById(id)).toMatchObject({
      id,
      public_id: room.id,
      created_by_id: maker.userId,
    });
    expect(await reads.findRoomById(id + 1)).toBeUndefined();
  });
});
