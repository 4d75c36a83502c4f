import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { ADA, BEN, CEM, createTestRooms, ROOM, type TestRooms, TOPIC, toPerson } from "./test-rooms.ts";

let rooms: TestRooms;
beforeEach(async () => {
  rooms = await createTestRooms();
});
afterEach(() => {
  expect(rooms.errors).toEqual([]);
  rooms.close();
});

async function join(userId: number, payload: object = {}) {
  const client = await rooms.connect(userId);
  client.send(TOPIC, "phx_join", payload);
  return client;
}
const block = async (...blocked: number[]) => {
  rooms.apart.set(ADA, blocked);
  await rooms.voice.blocksChanged(ADA);
};
const apart = (...ids: number[]) => ["apart", { user_ids: ids.map(String) }];
const isApart = ([event]: [string, unknown]) => event === "apart";

test.each([
  ["has blocked", ADA, BEN],
  ["was blocked by", BEN, ADA],
])(
  "who %s somebody in the room is notified before the roster, and the other before they come",
  async (_, first, second) => {
    rooms.apart.set(ADA, [BEN]);
    const other = await rooms.enter(first);
    const cem = await rooms.enter(CEM);
    await Promise.all([other.receive(), cem.receive()]);
    const received = await (await join(second)).receive();
    // The test's database says of Ada alone whom she is apart from; the real one says it of both.
    expect(received.map(([event]) => event)).toEqual(["apart", "roster_snapshot"]);
    expect(received[0]).toEqual(apart(first));
    const published = await other.receive();
    expect(published[0]).toEqual(apart(second));
    expect(published.map(([event]) => event)).toEqual(["apart", "participant_joined", "roster_update"]);
    expect((await cem.receive()).some(isApart)).toBe(false);
  },
);

test("nobody is notified of anybody who isn't in the room, or has only reserved a seat there", async () => {
  rooms.apart.set(ADA, [BEN, 99]);
  const ada = await join(ADA);
  await rooms.voice.reserve(ROOM, toPerson(BEN));
  await rooms.voice.blocksChanged(ADA);
  expect((await ada.receive()).some(isApart)).toBe(false);
});

test("a block that is made or lifted in the call is sent to both, and only where it changes something", async () => {
  const clients = [await rooms.enter(ADA), await rooms.enter(BEN), await rooms.enter(CEM)];
  const receive = async () => {
    const received = [];
    for (const client of clients) received.push(await client.receive());
    return received;
  };
  await receive();
  await block(BEN);
  expect(await receive()).toEqual([[apart(BEN)], [apart(ADA)], []]);
  await block(BEN, CEM);
  expect(await receive()).toEqual([[apart(BEN, CEM)], [], [apart(ADA)]]);
  await block(CEM);
  expect(await receive()).toEqual([[apart(CEM)], [apart()], []]);
  await block();
  expect(await receive()).toEqual([[apart()], [], [apart()]]);
});

test("who comes back receives what holds, an end of it too", async () => {
  const [ada, ben] = [await rooms.enter(ADA), await rooms.enter(BEN)];
  await block(BEN);
  await ben.drop();
  const seat = { id: ben.answer.participant_id, join_number: 2 };
  let back = await join(BEN, { seat });
  expect((await back.receive())[0]).toEqual(apart(ADA));
  await back.drop();
  await block();
  back = await join(BEN, { seat });
  expect((await back.receive())[0]).toEqual(apart());
  expect((await ada.receive()).filter(isApart)).toEqual([apart(BEN), apart()]);
});
