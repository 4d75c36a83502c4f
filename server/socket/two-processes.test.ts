import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { settle } from "#test/carriers.ts";
import { createLinkedProcesses, type LinkedProcess } from "#test/linked-processes.ts";
import { createRulesRoom, type RulesRoom } from "#test/phoenix/rules-room.ts";
import type { SocketPair } from "#test/socket-pair.ts";
import { createHomes } from "./away/homes.ts";

interface Process extends LinkedProcess {
  room: RulesRoom;
}

let here: Process;
let there: Process;
beforeEach(async () => {
  const linked = createLinkedProcesses("here", "there");
  here = { ...linked.here, room: createRulesRoom({}, linked.here.link) };
  there = { ...linked.there, room: createRulesRoom({}, linked.there.link) };
  await settle();
});
afterEach(async () => {
  for (const { room, link } of [here, there]) {
    room.sockets.close();
    await link.close();
  }
});

/** A topic that a process keeps. */
function findTopic({ link }: Process): string {
  const homes = createHomes(link);
  for (let i = 0; ; i += 1) if (homes.isHere(`room:${i}`)) return `room:${i}`;
}

async function join({ room }: Process, name: string, topic: string): Promise<SocketPair> {
  const pair = await room.connect(name);
  pair.send("1", "1", topic, "phx_join", {});
  const [[, , , , answer] = []] = (await flush(pair)) as unknown[][];
  expect(answer).toMatchObject({ status: "ok" });
  return pair;
}

async function flush(pair: SocketPair): Promise<unknown[]> {
  const frames: unknown[] = [];
  for (let round = 0; round < 2; round += 1) {
    frames.push(...(await pair.flush()));
    await settle();
  }
  return [...frames, ...(await pair.flush())];
}

/** Event and payload of what came, apart from answers. */
async function receive(pair: SocketPair): Promise<unknown[]> {
  const frames = (await flush(pair)) as unknown[][];
  return frames.filter(([, , , event]) => event !== "phx_reply").map(([, , , ...rest]) => rest);
}

const said = (text: string) => ["said", { text }];
const moved = (topic: string) => ["1", "1", topic, "phx_error", { reason: "moved" }];

test("a broadcast reaches the members of both processes, each once", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  ada.send("1", "2", topic, "say", { text: "x" });
  expect(await receive(ada)).toEqual([said("x")]);
  here.room.sockets.broadcast(topic, "said", { text: "from outside" });
  expect([await receive(ada), await receive(bob)]).toEqual([
    [said("from outside")],
    [said("x"), said("from outside")],
  ]);
});

test("a broadcast from somebody leaves out their tab alone, in both processes", async () => {
  const topic = findTopic(there);
  const pairs = [
    await join(here, "ada", topic),
    await join(there, "ada", topic),
    await join(there, "bob", topic),
    await join(here, "eve", topic),
  ];
  pairs[0]?.send("1", "2", topic, "say_from", { text: "x" });
  if (pairs[0]) expect(await receive(pairs[0])).toEqual([]);
  for (const pair of pairs.slice(1)) expect(await receive(pair)).toEqual([said("x")]);
});

test("bytes arrive as the bytes they were", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  bob.send("1", "2", topic, "blob_say", {});
  await flush(bob);
  const header = Buffer.concat([Buffer.from([2, topic.length, 4]), Buffer.from(`${topic}blob`)]);
  expect(await flush(ada)).toEqual([Buffer.concat([header, Buffer.from([7])])]);
});

test("presence is that of both processes, and without who is cut off", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  const entry = (meta: object) => ({ metas: [{ ...meta, phx_ref: expect.any(String) }] });
  ada.send("1", "2", topic, "appear", { tab: 1 });
  await flush(ada);
  expect(await receive(bob)).toEqual([["presence_diff", { joins: { ada: entry({ tab: 1 }) }, leaves: {} }]]);
  bob.send("1", "2", topic, "appear", { tab: 2 });
  ada.send("1", "3", topic, "who", {});
  expect(await receive(bob)).toEqual([["presence_diff", { joins: { bob: entry({ tab: 2 }) }, leaves: {} }]]);
  expect(await receive(ada)).toContainEqual([
    "presence_state",
    { ada: entry({ tab: 1 }), bob: entry({ tab: 2 }) },
  ]);
  // Killed: its end of the line is gone, and the first message to it says so.
  await here.carrier.close();
  there.room.sockets.broadcast(topic, "said", { text: "x" });
  expect(await receive(bob)).toEqual([
    said("x"),
    ["presence_diff", { joins: {}, leaves: { ada: entry({ tab: 1 }) } }],
  ]);
  expect(there.room.ends).toEqual(["ada gone"]);
});

test("a signal reaches channels wherever their clients are", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  here.room.sockets.signal(topic, "note", { n: 1 });
  here.room.sockets.signal(topic, "kick", { by: "ada" }, "bob");
  expect([await receive(ada), await receive(bob)]).toEqual([[], [["phx_close", {}]]]);
  expect(there.room.signals).toEqual([`ada: note {"n":1}`, `bob: note {"n":1}`, `bob: kick {"by":"ada"}`]);
  expect(here.room.signals).toEqual([]);
});

test("behind a home that was killed clients join again, here", async () => {
  const topic = findTopic(there);
  const ada = await join(here, "ada", topic);
  await there.carrier.close();
  ada.send("1", "2", topic, "echo", {});
  expect(await flush(ada)).toEqual([moved(topic)]);
  ada.send("3", "3", topic, "phx_join", {});
  ada.send("3", "4", topic, "echo", { n: 1 });
  expect((await flush(ada)).at(-1)).toEqual([
    "3",
    "4",
    topic,
    "phx_reply",
    { status: "ok", response: { n: 1 } },
  ]);
  expect(here.room.life).toEqual([`ada joined ${topic.slice(5)}`]);
});

test("who was leaving when the home was killed has left", async () => {
  const topic = findTopic(there);
  const ada = await join(here, "ada", topic);
  await there.carrier.close();
  ada.send("1", "2", topic, "phx_leave", {});
  expect(await flush(ada)).toEqual([["1", "2", topic, "phx_reply", { status: "ok", response: {} }]]);
});

test("without the carrier people of one process go on among themselves; afterwards all are in one place again", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  for (const { carrier } of [here, there]) carrier.setUp(false);
  expect(await flush(ada)).toEqual([moved(topic)]);
  expect(await flush(bob)).toEqual([]);
  ada.send("2", "2", topic, "phx_join", {});
  ada.send("2", "3", topic, "say", { text: "alone" });
  expect(await receive(ada)).toContainEqual(said("alone"));
  for (const { carrier } of [here, there]) carrier.setUp(true);
  await settle();
  expect(await flush(ada)).toEqual([["2", "2", topic, "phx_error", { reason: "moved" }]]);
  ada.send("4", "4", topic, "phx_join", {});
  ada.send("4", "5", topic, "say", { text: "together" });
  await flush(ada);
  expect(await receive(bob)).toEqual([said("together")]);
});

test("who stops hands its topics on before its clients are sent away", async () => {
  const topic = findTopic(there);
  const [ada, bob] = [await join(here, "ada", topic), await join(there, "bob", topic)];
  there.room.sockets.drain();
  await settle();
  expect(await flush(ada)).toEqual([moved(topic)]);
  await flush(bob);
  expect(bob.closeCode).toBe(1012);
  ada.send("2", "2", topic, "phx_join", {});
  expect(await flush(ada)).toMatchObject([["2", "2", topic, "phx_reply", { status: "ok" }]]);
  expect(there.room.ends).toContain("ada moved");
  expect(here.room.life).toEqual([`ada joined ${topic.slice(5)}`]);
});

test("a join that is awaited while its topic moves is refused, and made again at the new home", async () => {
  const topic = findTopic(there);
  const ada = await here.room.connect("ada");
  ada.send("1", "1", topic, "phx_join", { wait: true });
  await flush(ada);
  there.link.retire();
  await settle();
  there.room.openGate();
  expect(await flush(ada)).toEqual([
    ["1", "1", topic, "phx_reply", { status: "error", response: { reason: "moved" } }],
  ]);
  expect(there.room.ends).toEqual(["ada unseen"]);
  ada.send("2", "2", topic, "phx_join", {});
  expect(await flush(ada)).toMatchObject([["2", "2", topic, "phx_reply", { status: "ok" }]]);
  expect(here.room.life).toHaveLength(1);
});

test("what a client of another process holds is bounded over all of its topics, and goes with it", async () => {
  const topic = findTopic(there);
  const ada = await join(here, "ada", topic);
  ada.send("1", "2", topic, "wait", {});
  await flush(ada);
  for (let i = 0; i < 20; i += 1) ada.send("1", `${i + 3}`, topic, "echo", { text: "x".repeat(60_000) });
  await flush(ada);
  expect(ada.closeCode).toBe(1008);
  await settle();
  expect(there.room.ends).toEqual(["ada gone"]);
});

test("a join while its process comes back among the others is answered, or told to come again", async () => {
  const topic = findTopic(there);
  const ada = await here.room.connect("ada");
  here.carrier.setUp(false);
  here.carrier.setUp(true);
  ada.send("1", "1", topic, "phx_join", {});
  const [first] = (await flush(ada)) as unknown[][];
  expect(first?.slice(0, 3)).toEqual(["1", "1", topic]);
  ada.send("2", "2", topic, "phx_join", {});
  expect(await flush(ada)).toContainEqual(["2", "2", topic, "phx_reply", { status: "ok", response: {} }]);
  expect(there.room.life.filter((line) => line.startsWith("ada joined"))).toHaveLength(1);
});

test("who speaks to topics of another process without having joined them takes nothing there", async () => {
  const topic = findTopic(there);
  const ada = await here.room.connect("ada");
  ada.send("1", "1", topic, "echo", {});
  ada.send("1", "2", topic, "phx_leave", {});
  expect(await flush(ada)).toEqual([
    [null, "1", topic, "phx_reply", { status: "error", response: { reason: "unmatched topic" } }],
    ["1", "2", topic, "phx_reply", { status: "ok", response: {} }],
  ]);
  expect(here.room.sockets.count()).toEqual({ connections: 1, channels: 0 });
});
