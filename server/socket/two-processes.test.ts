import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { createRulesRoom, type RulesRoom } from "#test/phoenix/rules-room.ts";
import type { SocketPair } from "#test/socket-pair.ts";
import { createTwoProcessBus } from "#test/two-process-bus.ts";
import { until } from "#test/until.ts";

const DELAY_MS = 5;

let here: RulesRoom;
let there: RulesRoom;
let countUnderWay: () => number;
beforeEach(() => {
  const bus = createTwoProcessBus(DELAY_MS);
  countUnderWay = bus.countUnderWay;
  here = createRulesRoom({}, bus.ends[0]);
  there = createRulesRoom({}, bus.ends[1]);
});
afterEach(() => {
  for (const { sockets } of [here, there]) sockets.close();
});

/** What is on its way between the processes arrives. */
const cross = () => until(() => countUnderWay() === 0);

async function join(room: RulesRoom, name: string): Promise<SocketPair> {
  const pair = await room.connect(name);
  pair.send("1", "1", "room:a", "phx_join", {});
  await pair.flush();
  return pair;
}

/** Event and payload of what came, apart from answers. */
async function receive(pair: SocketPair): Promise<unknown[]> {
  const frames = (await pair.flush()) as unknown[][];
  return frames.filter(([, , , event]) => event !== "phx_reply").map(([, , , ...rest]) => rest);
}

const said = (text: string) => ["said", { text }];

test("a broadcast reaches the members of both processes, each once", async () => {
  const [ada, bob] = [await join(here, "ada"), await join(there, "bob")];
  ada.send("1", "2", "room:a", "say", { text: "x" });
  expect(await receive(ada)).toEqual([said("x")]);
  await cross();
  there.sockets.broadcast("room:a", "said", { text: "from outside" });
  await cross();
  expect([await receive(ada), await receive(bob)]).toEqual([
    [said("from outside")],
    [said("x"), said("from outside")],
  ]);
});

test("a broadcast from somebody leaves out their tab alone, in both processes", async () => {
  const [ada, tab, bob] = [await join(here, "ada"), await join(there, "ada"), await join(there, "bob")];
  ada.send("1", "2", "room:a", "say_from", { text: "x" });
  expect(await receive(ada)).toEqual([]);
  await cross();
  expect([await receive(ada), await receive(tab), await receive(bob)]).toEqual([
    [],
    [said("x")],
    [said("x")],
  ]);
});

test("a message to one person reaches their tabs in both processes", async () => {
  const [ada, ...others] = [
    await join(here, "ada"),
    await join(here, "bob"),
    await join(there, "bob"),
    await join(there, "eve"),
  ];
  ada?.send("1", "2", "room:a", "say_to", { to: "bob", text: "x" });
  await ada?.flush();
  await cross();
  const received: unknown[] = [];
  for (const pair of others) received.push(await receive(pair));
  expect(received).toEqual([[said("x")], [said("x")], []]);
});

test("bytes arrive as the bytes they were", async () => {
  const [ada, bob] = [await join(here, "ada"), await join(there, "bob")];
  ada.send("1", "2", "room:a", "blob_say", {});
  await ada.flush();
  await cross();
  const header = Buffer.concat([Buffer.from([2, 6, 4]), Buffer.from("room:ablob")]);
  expect(await bob.flush()).toEqual([Buffer.concat([header, Buffer.from([7])])]);
});

test("presence is that of both processes: in diffs, in the state and for a join", async () => {
  const [ada, bob] = [await join(here, "ada"), await join(there, "bob")];
  const entry = (meta: object) => ({ metas: [{ ...meta, phx_ref: expect.any(String) }] });
  ada.send("1", "2", "room:a", "appear", { tab: 1 });
  await ada.flush();
  await cross();
  expect(await receive(bob)).toEqual([["presence_diff", { joins: { ada: entry({ tab: 1 }) }, leaves: {} }]]);

  bob.send("1", "2", "room:a", "appear", { tab: 2 });
  bob.send("1", "3", "room:a", "who", {});
  expect(await receive(bob)).toContainEqual([
    "presence_state",
    { ada: entry({ tab: 1 }), bob: entry({ tab: 2 }) },
  ]);
  await cross();
  expect(await receive(ada)).toEqual([["presence_diff", { joins: { bob: entry({ tab: 2 }) }, leaves: {} }]]);

  const eve = await here.connect("eve");
  eve.send("1", "1", "room:a", "phx_join", { ask: true });
  const [[, , , , answer]] = (await eve.flush()) as [unknown[]];
  expect(answer).toMatchObject({ response: { present: ["ada", "bob"] } });

  bob.drop();
  await cross();
  expect(await receive(ada)).toEqual([["presence_diff", { joins: {}, leaves: { bob: entry({ tab: 2 }) } }]]);
});

test("a signal reaches channels in both processes", async () => {
  const [ada, bob] = [await join(here, "ada"), await join(there, "bob")];
  here.sockets.signal("room:a", "note", { n: 1 });
  here.sockets.signal("room:a", "kick", { by: "ada" }, "bob");
  await cross();
  expect(here.signals).toEqual(['ada: note {"n":1}']);
  expect(there.signals).toEqual(['bob: note {"n":1}', 'bob: kick {"by":"ada"}']);
  expect([await receive(ada), await receive(bob)]).toEqual([[], [["phx_close", {}]]]);
});
