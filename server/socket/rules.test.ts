import { setTimeout as pause, setImmediate as turn } from "node:timers/promises";
import { afterEach, describe, expect, test } from "@jest/globals";
import { Presence, Socket } from "phoenix";
import { createRulesRoom, pairClients, type RulesRoom, toPerson } from "#test/phoenix/rules-room.ts";
import type { PairedClients, SocketPair } from "#test/socket-pair.ts";
import { until } from "#test/until.ts";

/** Of presence: far longer than what a test does within one takes. */
const WINDOW_MS = 1000;

type Frame = readonly unknown[];

const reply = (joinRef: unknown, ref: unknown, topic: unknown, status: string, response: unknown): Frame => [
  joinRef,
  ref,
  topic,
  "phx_reply",
  { status, response },
];
const ok = (joinRef: unknown, ref: unknown, response: unknown = {}, topic = "room:a") =>
  reply(joinRef, ref, topic, "ok", response);
const error = (joinRef: unknown, ref: unknown, reason: string, topic: unknown = "room:a") =>
  reply(joinRef, ref, topic, "error", { reason });
const closed = (joinRef: string, topic = "room:a"): Frame => [joinRef, joinRef, topic, "phx_close", {}];
const crashed = (joinRef: string, topic = "room:a"): Frame => [
  joinRef,
  joinRef,
  topic,
  "phx_error",
  { reason: "channel_crash" },
];
const said = (text: string, joinRef: string | null = null): Frame => [
  joinRef,
  null,
  "room:a",
  "said",
  { text },
];
const JOIN: Frame = ["1", "1", "room:a", "phx_join", {}];
const JOINED = ok("1", "1");

let rooms: RulesRoom[] = [];
function createRoom(rules?: Parameters<typeof createRulesRoom>[0]): RulesRoom {
  const room = createRulesRoom(rules);
  rooms.push(room);
  return room;
}
afterEach(() => {
  for (const { sockets } of rooms) sockets.close();
  rooms = [];
});

interface Exchange {
  rule: string;
  sent: readonly Frame[];
  received: readonly Frame[];
}

const EXCHANGES: readonly Exchange[] = [
  {
    rule: "a heartbeat is answered, whatever it carries",
    sent: [
      [null, "1", "phoenix", "heartbeat", {}],
      [null, "2", "phoenix", "heartbeat", null],
    ],
    received: [
      [null, "1", "phoenix", "phx_reply", { status: "ok", response: {} }],
      [null, "2", "phoenix", "phx_reply", { status: "ok", response: {} }],
    ],
  },
  {
    rule: "another event on the heartbeat's topic is refused",
    sent: [[null, "1", "phoenix", "knock", {}]],
    received: [error(null, "1", "unmatched topic", "phoenix")],
  },
  { rule: "a sixth element is ignored", sent: [[...JOIN, "more"]], received: [JOINED] },
  { rule: "a join may carry text", sent: [["1", "1", "room:a", "phx_join", "x"]], received: [JOINED] },
  { rule: "a join may carry null", sent: [["1", "1", "room:a", "phx_join", null]], received: [JOINED] },
  { rule: "a join is answered with its own refs", sent: [JOIN], received: [JOINED] },
  {
    rule: "what a channel sends at a join follows the answer",
    sent: [["1", "1", "room:greeting", "phx_join", {}]],
    received: [
      ok("1", "1", {}, "room:greeting"),
      ["1", null, "room:greeting", "greeted", { text: "welcome" }],
    ],
  },
  {
    rule: "a refused join keeps nothing",
    sent: [
      ["1", "1", "room:missing", "phx_join", {}],
      ["1", "2", "room:missing", "echo", {}],
    ],
    received: [
      error("1", "1", "room_not_found", "room:missing"),
      error(null, "2", "unmatched topic", "room:missing"),
    ],
  },
  {
    rule: "a refusal may say more than its documented reason",
    sent: [["1", "1", "room:full", "phx_join", {}]],
    received: [reply("1", "1", "room:full", "error", { reason: "failed_to_join_room", detail: "full" })],
  },
  {
    rule: "a join that crashes is refused, and the connection lives",
    sent: [["1", "1", "room:crash", "phx_join", {}], JOIN],
    received: [error("1", "1", "join crashed", "room:crash"), JOINED],
  },
  {
    rule: "a channel that crashes behind its join ends, and the connection lives",
    sent: [["1", "1", "room:trap", "phx_join", {}], JOIN],
    received: [ok("1", "1", {}, "room:trap"), crashed("1", "room:trap"), JOINED],
  },
  {
    rule: "a topic of no channel is refused without a join_ref",
    sent: [["1", "1", "nope:1", "phx_join", {}]],
    received: [error(null, "1", "unmatched topic", "nope:1")],
  },
  {
    rule: "a part of a topic holds no colon",
    sent: [["1", "1", "room:a:b", "phx_join", {}]],
    received: [error(null, "1", "unmatched topic", "room:a:b")],
  },
  {
    rule: "a topic that is a number is refused as the number it is",
    sent: [[null, "1", 5, "phx_join", {}]],
    received: [error(null, "1", "unmatched topic", 5)],
  },
  {
    rule: "a second join of a topic is answered, then the first receives its end, and only the second counts",
    sent: [
      JOIN,
      ["2", "2", "room:a", "phx_join", {}],
      ["1", "3", "room:a", "echo", { old: 1 }],
      ["2", "4", "room:a", "echo", { new: 1 }],
    ],
    received: [JOINED, ok("2", "2"), closed("1"), ok("2", "4", { new: 1 })],
  },
  {
    rule: "what the second join's channel sends follows the end of the first",
    sent: [
      ["1", "1", "room:greeting", "phx_join", {}],
      ["2", "2", "room:greeting", "phx_join", {}],
    ],
    received: [
      ok("1", "1", {}, "room:greeting"),
      ["1", null, "room:greeting", "greeted", { text: "welcome" }],
      ok("2", "2", {}, "room:greeting"),
      closed("1", "room:greeting"),
      ["2", null, "room:greeting", "greeted", { text: "welcome" }],
    ],
  },
  {
    rule: "a second join that is refused ends the first all the same",
    sent: [JOIN, ["2", "2", "room:a", "phx_join", { refuse: true }], ["1", "3", "room:a", "echo", {}]],
    received: [JOINED, error("2", "2", "room_not_found"), closed("1"), error(null, "3", "unmatched topic")],
  },
  {
    rule: "a leave and a join at once are answered in turn",
    sent: [JOIN, ["1", "2", "room:a", "phx_leave", {}], ["3", "3", "room:a", "phx_join", {}]],
    received: [JOINED, ok("1", "2"), closed("1"), ok("3", "3")],
  },
  {
    rule: "a leave is answered, then the channel closes",
    sent: [JOIN, ["1", "2", "room:a", "phx_leave", {}]],
    received: [JOINED, ok("1", "2"), closed("1")],
  },
  {
    rule: "a leave of a topic that isn't joined is answered",
    sent: [["1", "2", "room:a", "phx_leave", {}]],
    received: [ok("1", "2")],
  },
  {
    rule: "pushes and leaves of an earlier join are dropped without a word",
    sent: [
      ["7", "7", "room:a", "phx_join", {}],
      ["6", "8", "room:a", "echo", {}],
      ["6", "9", "room:a", "phx_leave", {}],
      ["7", "10", "room:a", "echo", { alive: 1 }],
    ],
    received: [ok("7", "7"), ok("7", "10", { alive: 1 })],
  },
  {
    rule: "a push without a join_ref is taken, and answered with the channel's",
    sent: [JOIN, [null, "2", "room:a", "echo", {}], [null, "3", "room:a", "phx_leave", {}]],
    received: [JOINED, ok("1", "2"), ok("1", "3"), closed("1")],
  },
  {
    rule: "numbers as refs come back as numbers and don't equal their text",
    sent: [
      [21, 21, "room:a", "phx_join", {}],
      [21, 22, "room:a", "echo", { number: 1 }],
      ["21", "23", "room:a", "echo", { text: 1 }],
    ],
    received: [ok(21, 21), ok(21, 22, { number: 1 })],
  },
  {
    rule: "a join without refs receives its messages without refs",
    sent: [
      [null, null, "room:greeting", "phx_join", {}],
      [null, "2", "room:greeting", "echo", { a: 1 }],
    ],
    received: [
      ok(null, null, {}, "room:greeting"),
      [null, null, "room:greeting", "greeted", { text: "welcome" }],
      ok(null, "2", { a: 1 }, "room:greeting"),
    ],
  },
  {
    rule: "a join without a join_ref has its ref inside the channel, and receives only messages without one",
    sent: [
      [null, "3", "room:greeting", "phx_join", {}],
      ["3", "4", "room:greeting", "echo", { a: 1 }],
      [null, "5", "room:greeting", "echo", { a: 2 }],
    ],
    received: [
      ok(null, "3", {}, "room:greeting"),
      ["3", null, "room:greeting", "greeted", { text: "welcome" }],
      ok("3", "5", { a: 2 }, "room:greeting"),
    ],
  },
  {
    rule: "the end of a join without a join_ref has none",
    sent: [
      [null, "3", "room:a", "phx_join", {}],
      [null, "4", "room:a", "phx_leave", {}],
    ],
    received: [ok(null, "3"), ok("3", "4"), [null, null, "room:a", "phx_close", {}]],
  },
  {
    rule: "a push to a topic that isn't joined is refused without a join_ref",
    sent: [["1", "2", "room:a", "echo", {}]],
    received: [error(null, "2", "unmatched topic")],
  },
  {
    rule: "a handler answers ok, nothing at all, any status, an error with its reason",
    sent: [
      JOIN,
      ["1", "2", "room:a", "echo", { a: [1, "ü", null] }],
      ["1", "3", "room:a", "bare", {}],
      ["1", "4", "room:a", "quiet", {}],
      ["1", "5", "room:a", "custom", {}],
      ["1", "6", "room:a", "refused", {}],
    ],
    received: [
      JOINED,
      ok("1", "2", { a: [1, "ü", null] }),
      ok("1", "3"),
      reply("1", "5", "room:a", "busy", [1]),
      error("1", "6", "not_participant"),
    ],
  },
  {
    rule: "an event of another name is refused with its reason, and the channel lives",
    sent: [JOIN, ["1", "2", "room:a", "no_such_event", {}], ["1", "3", "room:a", "echo", {}]],
    received: [JOINED, error("1", "2", "unknown_event_type"), ok("1", "3")],
  },
  {
    rule: "names that every object has are no events",
    sent: [JOIN, ["1", "2", "room:a", "constructor", {}], ["1", "3", "room:a", "__proto__", {}]],
    received: [JOINED, error("1", "2", "unknown_event_type"), error("1", "3", "unknown_event_type")],
  },
  {
    rule: "a missing field goes before a wrong one, which has the event's own reason",
    sent: [
      JOIN,
      ["1", "2", "room:a", "strict", {}],
      ["1", "3", "room:a", "strict", { text: 5 }],
      ["1", "4", "room:a", "strict", null],
      ["1", "5", "room:a", "strict", { text: "fine" }],
    ],
    received: [
      JOINED,
      error("1", "2", "missing_required_fields"),
      error("1", "3", "invalid_offer_format"),
      error("1", "4", "missing_required_fields"),
      ok("1", "5"),
    ],
  },
  {
    rule: "a handler that raises ends its channel, and the others of the connection live",
    sent: [
      JOIN,
      ["2", "2", "room:b", "phx_join", {}],
      ["1", "3", "room:a", "raise", {}],
      ["1", "4", "room:a", "echo", {}],
      ["2", "5", "room:b", "echo", {}],
    ],
    received: [
      JOINED,
      ok("2", "2", {}, "room:b"),
      crashed("1"),
      error(null, "4", "unmatched topic"),
      ok("2", "5", {}, "room:b"),
    ],
  },
  {
    rule: "a schema that raises ends its channel alone",
    sent: [
      JOIN,
      ["2", "2", "room:b", "phx_join", {}],
      ["1", "3", "room:a", "bad_schema", {}],
      ["2", "4", "room:b", "echo", {}],
    ],
    received: [JOINED, ok("2", "2", {}, "room:b"), crashed("1"), ok("2", "4", {}, "room:b")],
  },
  {
    rule: "a crashed channel can be joined again",
    sent: [JOIN, ["1", "2", "room:a", "raise", {}], ["3", "3", "room:a", "phx_join", {}]],
    received: [JOINED, crashed("1"), ok("3", "3")],
  },
  {
    rule: "a channel that stops closes, behind its answer where there is one",
    sent: [
      JOIN,
      ["1", "2", "room:a", "stop", {}],
      ["3", "3", "room:a", "phx_join", {}],
      ["3", "4", "room:a", "stop_with_reply", {}],
    ],
    received: [JOINED, closed("1"), ok("3", "3"), ok("3", "4", { bye: 1 }), closed("3")],
  },
  {
    rule: "a channel that stops abnormally sends an error",
    sent: [JOIN, ["1", "2", "room:a", "stop_crash", {}]],
    received: [JOINED, crashed("1")],
  },
  {
    rule: "a member that its channel closes gets the join's ref with it, and nothing behind it",
    sent: [JOIN, ["1", "2", "room:a", "close", {}]],
    received: [JOINED, closed("1")],
  },
  {
    rule: "a push to one has the join_ref, a broadcast none, and neither has a ref",
    sent: [JOIN, ["1", "2", "room:a", "tell", { text: "t" }], ["1", "3", "room:a", "say", { text: "s" }]],
    received: [JOINED, said("t", "1"), said("s"), ok("1", "3")],
  },
];

test.each(EXCHANGES)("$rule", async ({ sent, received }) => {
  const ada = await createRoom().connect("ada");
  for (const message of sent) ada.send(...message);
  expect(await ada.flush()).toEqual(received);
  expect(ada.closeCode).toBeUndefined();
});

test.each(["phx_reply", "phx_close", "phx_error"])(
  "a client that sends %s harms nobody else",
  async (event) => {
    const room = createRoom();
    const [ada, bob] = [await room.connect("ada"), await room.connect("bob")];
    for (const pair of [ada, bob]) pair.send(...JOIN);
    await ada.flush();
    await bob.flush();
    ada.send("1", "2", "room:a", event, {});
    expect(await ada.flush()).toHaveLength(1);
    bob.send("1", "2", "room:a", "echo", {});
    expect(await bob.flush()).toEqual([ok("1", "2")]);
  },
);

test.each(["{oops", '"hi"', '[null,"1","phoenix"]', "{}", "", '[{},"1","phoenix","heartbeat",{}]'])(
  "%j can't be read and closes the connection with 1011",
  async (text) => {
    const ada = await createRoom().connect("ada");
    ada.write(text);
    expect(await ada.flush()).toEqual([]);
    expect(ada.closeCode).toBe(1011);
  },
);

test("the 101st channel of a connection is refused, and a free place is taken again", async () => {
  const ada = await createRoom().connect("ada");
  for (let i = 1; i <= 100; i++) ada.send(`${i}`, `${i}`, `room:${i}`, "phx_join", {});
  const answers = await ada.flush();
  expect(answers).toHaveLength(100);
  expect(answers[99]).toEqual(ok("100", "100", {}, "room:100"));
  ada.send("101", "101", "room:101", "phx_join", {});
  expect(await ada.flush()).toEqual([error("101", "101", "too many channels joined", "room:101")]);
  ada.send("5", "102", "room:5", "phx_leave", {});
  await ada.flush();
  ada.send("103", "103", "room:101", "phx_join", {});
  expect((await ada.flush()).at(-1)).toEqual(ok("103", "103", {}, "room:101"));
});

describe("while something is awaited", () => {
  test("a topic keeps its order and another one goes on", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send("2", "2", "room:b", "phx_join", {});
    await ada.flush();
    ada.send("1", "3", "room:a", "wait", { first: 1 });
    for (const ref of ["4", "5", "6"]) ada.send("1", ref, "room:a", "echo", {});
    ada.send("2", "7", "room:b", "echo", {});
    expect(await ada.flush()).toEqual([ok("2", "7", {}, "room:b")]);
    room.openGate();
    expect(await ada.flush()).toEqual([ok("1", "3", { first: 1 }), ok("1", "4"), ok("1", "5"), ok("1", "6")]);
  });

  test("the answer of a join comes before a broadcast that happens during it", async () => {
    const room = createRoom();
    const [ada, bob] = [await room.connect("ada"), await room.connect("bob")];
    bob.send(...JOIN);
    await bob.flush();
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    await ada.flush();
    bob.send("1", "2", "room:a", "say", { text: "during" });
    await bob.flush();
    expect(await ada.flush()).toEqual([]);
    room.openGate();
    const [first, ...others] = await ada.flush();
    expect(first).toEqual(JOINED);
    // Who isn't in yet may miss it or get it late, but not before the answer.
    expect([[], [said("during")]]).toContainEqual(others);
  });

  test("pushes behind a join wait for it", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    ada.send("1", "2", "room:a", "echo", { early: 1 });
    expect(await ada.flush()).toEqual([]);
    room.openGate();
    expect(await ada.flush()).toEqual([JOINED, ok("1", "2", { early: 1 })]);
  });

  test("a client that leaves during its join is let in, out again, and its place is freed once", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    ada.send("1", "2", "room:a", "phx_leave", {});
    await ada.flush();
    room.openGate();
    expect(await ada.flush()).toEqual([JOINED, ok("1", "2"), closed("1")]);
    expect(room.life).toEqual(["ada joined a", "ada left a"]);
    expect(room.sockets.count()).toEqual({ connections: 1, channels: 0 });
  });

  test("a client that drops during its join frees what the join took, once", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    await ada.flush();
    ada.drop();
    room.openGate();
    await ada.flush();
    expect(room.life).toEqual(["ada joined a", "ada left a"]);
    expect(room.sockets.count()).toEqual({ connections: 0, channels: 0 });
  });

  test("a client that drops during a handler is forgotten, and its answer goes nowhere", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send("1", "2", "room:a", "wait", {});
    await ada.flush();
    ada.drop();
    room.openGate();
    expect(await ada.flush()).toEqual([]);
    expect(room.life).toEqual(["ada joined a", "ada left a"]);
    expect(room.crashes).toEqual([]);
  });

  test("a handler that raises later ends its channel, and what waited behind it finds none", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send("1", "2", "room:a", "raise_later", {});
    ada.send("1", "3", "room:a", "echo", {});
    await ada.flush();
    room.openGate();
    expect(await ada.flush()).toEqual([crashed("1"), error(null, "3", "unmatched topic")]);
    expect(room.crashes).toEqual(["Error: handler of raise_later"]);
  });

  test("messages of all topics may wait up to a bound in bytes, and one more closes the connection with 1008", async () => {
    const room = createRoom({ maxBufferedBytes: 18_000 });
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send("2", "2", "room:b", "phx_join", {});
    ada.send("1", "3", "room:a", "wait", {});
    ada.send("2", "4", "room:b", "wait", {});
    await ada.flush();
    const text = "x".repeat(6000);
    ada.send("1", "5", "room:a", "echo", { text });
    ada.send("2", "6", "room:b", "echo", { text });
    await ada.flush();
    room.openGate();
    expect(await ada.flush()).toHaveLength(4);
    // What has been handled counts no more.
    ada.send("1", "7", "room:a", "wait", {});
    ada.send("2", "8", "room:b", "wait", {});
    for (const ref of ["9", "10"]) ada.send("1", ref, "room:a", "echo", { text });
    await ada.flush();
    expect(ada.closeCode).toBeUndefined();
    ada.send("2", "11", "room:b", "echo", { text });
    await ada.flush();
    expect(ada.closeCode).toBe(1008);
  });

  test("a second join behind one that is awaited is answered after it and ends it", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    ada.send("2", "2", "room:a", "phx_join", {});
    expect(await ada.flush()).toEqual([]);
    room.openGate();
    expect(await ada.flush()).toEqual([JOINED, ok("2", "2"), closed("1")]);
    expect(room.life).toEqual(["ada joined a", "ada left a", "ada joined a"]);
  });

  test("a second join that is awaited takes the first one's place at once", async () => {
    const room = createRoom();
    const [ada, bob] = [await room.connect("ada"), await room.connect("bob")];
    for (const pair of [ada, bob]) pair.send(...JOIN);
    await ada.flush();
    await bob.flush();
    ada.send("2", "2", "room:a", "phx_join", { wait: true });
    await ada.flush();
    bob.send("1", "2", "room:a", "say_from", { text: "unheard" });
    await bob.flush();
    expect(await ada.flush()).toEqual([]);
    room.openGate();
    expect((await ada.flush()).slice(0, 2)).toEqual([ok("2", "2"), closed("1")]);
    expect(room.life.filter((line) => line === "ada left a")).toHaveLength(1);
  });
});

describe("who gets what", () => {
  async function joinAll(room: RulesRoom, names: readonly string[]) {
    const pairs = await Promise.all(names.map((name) => room.connect(name)));
    for (const pair of pairs) {
      pair.send(...JOIN);
      await pair.flush();
    }
    return pairs;
  }
  const flushEach = async (pairs: Awaited<ReturnType<typeof joinAll>>) => {
    const got: unknown[][] = [];
    for (const pair of pairs) got.push(await pair.flush());
    return got;
  };

  test("a broadcast reaches everybody, its sender too", async () => {
    const pairs = await joinAll(createRoom(), ["ada", "bob"]);
    pairs[0]?.send("1", "2", "room:a", "say", { text: "x" });
    expect(await flushEach(pairs)).toEqual([[said("x"), ok("1", "2")], [said("x")]]);
  });

  test("a broadcast from somebody leaves out their tab alone", async () => {
    const pairs = await joinAll(createRoom(), ["ada", "ada", "bob"]);
    pairs[0]?.send("1", "2", "room:a", "say_from", { text: "x" });
    expect(await flushEach(pairs)).toEqual([[], [said("x")], [said("x")]]);
  });

  test("a message to one person reaches every tab of theirs, with the tab's join_ref", async () => {
    const pairs = await joinAll(createRoom(), ["ada", "bob", "bob", "eve"]);
    pairs[0]?.send("1", "2", "room:a", "say_to", { to: "bob", text: "x" });
    expect(await flushEach(pairs)).toEqual([[], [said("x", "1")], [said("x", "1")], []]);
  });

  test("somebody who goes may still notify the others, and doesn't receive it", async () => {
    const pairs = await joinAll(createRoom(), ["ada", "bob"]);
    pairs[0]?.send("1", "2", "room:a", "be_loud", {});
    pairs[0]?.send("1", "3", "room:a", "phx_leave", {});
    expect(await flushEach(pairs)).toEqual([[ok("1", "3"), closed("1")], [said("gone")]]);
  });

  test("a broadcast from outside reaches the members of its topic only", async () => {
    const room = createRoom();
    const [ada, bob] = await joinAll(room, ["ada", "bob"]);
    bob?.send("1", "2", "room:a", "phx_leave", {});
    await bob?.flush();
    room.sockets.broadcast("room:a", "said", { text: "x" });
    expect(await ada?.flush()).toEqual([said("x")]);
    expect(await bob?.flush()).toEqual([]);
  });

  test("every tab of a session that has ended is disconnected with 1001, and nobody else", async () => {
    const room = createRoom();
    const pairs = await joinAll(room, ["ada", "ada", "bob"]);
    room.people.change("ada", undefined);
    await flushEach(pairs);
    expect(pairs.map((pair) => pair.closeCode)).toEqual([1001, 1001, undefined]);
    expect(room.life).toContain("ada left a");
  });

  test("somebody whose session ends between the handshake and the connection is disconnected with 1001", async () => {
    const { sockets, people } = createRoom();
    const handshake = { query: new URLSearchParams({ token: "ada" }), headers: {}, address: "192.0.2.1" };
    const admission = await sockets.admit({ ...handshake, authToken: undefined });
    if (!admission) throw new Error("the server refused the connection");
    people.change("ada", undefined);
    await turn(); // the look at those who are connected finds nobody
    const codes: number[] = [];
    sockets.open(admission, {
      send: () => undefined,
      sendShared: () => undefined,
      close: (code) => void codes.push(code),
    });
    await turn();
    expect(codes).toEqual([1001]);
  });

  test("a signal reaches the channels of one person or of all, and no client", async () => {
    const room = createRoom();
    const pairs = await joinAll(room, ["ada", "ada", "bob"]);
    room.sockets.signal("room:a", "note", { n: 1 }, "ada");
    room.sockets.signal("room:a", "note", { n: 2 });
    room.sockets.signal("room:b", "note", { n: 3 });
    expect(await flushEach(pairs)).toEqual([[], [], []]);
    expect(room.signals).toEqual([
      'ada: note {"n":1}',
      'ada: note {"n":1}',
      'ada: note {"n":2}',
      'ada: note {"n":2}',
      'bob: note {"n":2}',
    ]);
  });

  test("a signal may close a channel, and one that raises ends only the channel it reached", async () => {
    const room = createRoom();
    const pairs = await joinAll(room, ["ada", "bob", "eve"]);
    room.sockets.signal("room:a", "kick", {}, "ada");
    room.sockets.signal("room:a", "trip", {}, "bob");
    expect(await flushEach(pairs)).toEqual([[closed("1")], [crashed("1")], []]);
    expect(room.crashes).toEqual(["Error: signal of trip"]);
  });

  test("somebody who may not stay any more receives the end of the channel, and keeps the connection", async () => {
    const room = createRoom();
    const pairs = await joinAll(room, ["ada", "bob"]);
    room.people.change("ada", toPerson("ada", 1));
    expect(await flushEach(pairs)).toEqual([[closed("1")], []]);
    expect(pairs[0]?.closeCode).toBeUndefined();
  });

  test("somebody whose level falls during a join is let in and out again", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    await ada.flush();
    room.people.change("ada", toPerson("ada", 1));
    await ada.flush();
    room.openGate();
    expect(await ada.flush()).toEqual([JOINED, closed("1")]);
  });

  test("a connection without a good token is refused", async () => {
    await expect(createRoom().connect("")).rejects.toThrow("refused");
  });
});

test("parameters of the connection reach a channel without its tokens", async () => {
  const ada = await createRoom().connect("ada", { token: "t", access_token: "a", x: "1" });
  ada.send("1", "1", "room:a", "phx_join", { ask: true });
  expect(await ada.flush()).toEqual([ok("1", "1", { connectionParams: { x: "1" }, present: [] })]);
});

describe("how a membership ended", () => {
  test.each([
    ["left", ["1", "2", "room:a", "phx_leave", {}]],
    ["replaced", ["2", "2", "room:a", "phx_join", {}]],
    ["closed", ["1", "2", "room:a", "close", {}]],
    ["closed", ["1", "2", "room:a", "stop", {}]],
    ["crashed", ["1", "2", "room:a", "stop_crash", {}]],
    ["crashed", ["1", "2", "room:a", "raise", {}]],
  ])("it %s: the channel is notified", async (why, message) => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send(...message);
    await ada.flush();
    expect(room.ends).toEqual([`ada ${why}`]);
  });

  test("it is closed where somebody may not stay any more", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    await ada.flush();
    room.people.change("ada", toPerson("ada", 1));
    await ada.flush();
    expect(room.ends).toEqual(["ada closed"]);
  });

  test("it is gone with its connection, and was unseen where that went before the answer", async () => {
    const room = createRoom();
    const [ada, bob] = [await room.connect("ada"), await room.connect("bob")];
    ada.send(...JOIN);
    bob.send("1", "1", "room:a", "phx_join", { wait: true });
    await ada.flush();
    await bob.flush();
    ada.drop();
    bob.drop();
    await bob.flush();
    room.openGate();
    await bob.flush();
    expect(room.ends).toEqual(["ada gone", "bob unseen"]);
  });
});

describe("the end of connections", () => {
  test("frees each channel once, however often it is notified", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send(...JOIN);
    ada.send("2", "2", "room:b", "phx_join", {});
    ada.send("3", "3", "room:trap", "phx_join", {});
    await ada.flush();
    ada.drop();
    ada.drop();
    await ada.flush();
    expect(room.life.filter((line) => line.includes("left")).sort()).toEqual([
      "ada left a",
      "ada left b",
      "ada left trap",
    ]);
    expect(room.sockets.count()).toEqual({ connections: 0, channels: 0 });
  });

  test("a server that goes down says 1012 to who has joined and 1000 to who hasn't, and lets nobody in", async () => {
    const room = createRoom();
    const [ada, bob, idle] = [
      await room.connect("ada"),
      await room.connect("bob"),
      await room.connect("idle"),
    ];
    for (const pair of [ada, bob]) {
      pair.send(...JOIN);
      pair.send("1", "2", "room:a", "appear", {});
      pair.send("1", "3", "room:a", "be_loud", {});
      await pair.flush();
    }
    await ada.flush();
    room.sockets.drain();
    expect([await ada.flush(), await bob.flush(), await idle.flush()]).toEqual([[], [], []]);
    expect([ada.closeCode, bob.closeCode, idle.closeCode]).toEqual([1012, 1012, 1000]);
    expect(room.life).toEqual(expect.arrayContaining(["ada left a", "bob left a"]));
    await expect(room.connect("eve")).rejects.toThrow("refused");
  });

  test("a server that goes down says 1012 to who is joining", async () => {
    const room = createRoom();
    const ada = await room.connect("ada");
    ada.send("1", "1", "room:a", "phx_join", { wait: true });
    await ada.flush();
    room.sockets.drain();
    expect(ada.closeCode).toBe(1012);
  });

  test("one more connection than a person may have is refused, and another person's isn't", async () => {
    const room = createRoom({ maxConnectionsPerPerson: 2 });
    const first = await room.connect("ada");
    await room.connect("ada");
    await expect(room.connect("ada")).rejects.toThrow("refused");
    await room.connect("bob");
    first.drop();
    await room.connect("ada");
    expect(room.sockets.count().connections).toBe(3);
  });
});

describe("version 1", () => {
  test("messages are objects without a join_ref", async () => {
    const ada = await createRoom().connect("ada", { vsn: "1.0.0" });
    const send = (event: string, payload: unknown, ref: string, more = {}) =>
      ada.write(JSON.stringify({ topic: "room:a", event, payload, ref, ...more }));
    send("phx_join", {}, "1");
    send("say", { text: "x" }, "2");
    send("raise", {}, "3");
    send("phx_join", {}, "4", { join_ref: "4" });
    send("phx_leave", {}, "5", { join_ref: "4" });
    const answer = (ref: string) => ({
      topic: "room:a",
      event: "phx_reply",
      payload: { status: "ok", response: {} },
      ref,
    });
    expect(await ada.flush()).toEqual([
      answer("1"),
      { topic: "room:a", event: "said", payload: { text: "x" }, ref: null },
      answer("2"),
      // The join had no join_ref.
      { topic: "room:a", event: "phx_error", payload: { reason: "channel_crash" }, ref: null },
      answer("4"),
      answer("5"),
      { topic: "room:a", event: "phx_close", payload: {}, ref: "4" },
    ]);
  });

  test.each(['{"topic":"phoenix","event":"heartbeat"}', '[null,"1","phoenix","heartbeat",{}]'])(
    "%s can't be read and closes the connection with 1011",
    async (text) => {
      const ada = await createRoom().connect("ada", { vsn: "1.0.0" });
      ada.write(text);
      await ada.flush();
      expect(ada.closeCode).toBe(1011);
    },
  );

  test.each(["3.0.0", "abc", "2.1.0"])("version %s is refused", async (vsn) => {
    await expect(createRoom().connect("ada", { vsn })).rejects.toThrow("refused");
  });
});

describe("bytes", () => {
  const toBinaryPush = (names: readonly string[], data: readonly number[]) => {
    const encoded = names.map((name) => Buffer.from(name));
    return Buffer.concat([
      Buffer.from([0, ...encoded.map((name) => name.length)]),
      ...encoded,
      Buffer.from(data),
    ]);
  };
  const names = (kind: number, parts: readonly string[], data: readonly number[]) =>
    Buffer.concat([
      Buffer.from([kind, ...parts.map((part) => part.length)]),
      Buffer.from(parts.join("")),
      Buffer.from(data),
    ]);

  test("answers carry refs, pushes the join_ref, broadcasts neither", async () => {
    const ada = await createRoom().connect("ada");
    ada.send(...JOIN);
    await ada.flush();
    ada.write(toBinaryPush(["1", "2", "room:a", "blob_reply"], [1, 2, 255]));
    ada.write(toBinaryPush(["1", "3", "room:a", "blob_push"], []));
    ada.write(toBinaryPush(["1", "4", "room:a", "blob_say"], []));
    expect(await ada.flush()).toEqual([
      names(1, ["1", "2", "room:a", "ok"], [1, 2, 255]),
      names(0, ["1", "room:a", "blob"], [9, 8]),
      names(2, ["room:a", "blob"], [7]),
    ]);
  });

  test("a broadcast of bytes passes clients of version 1 by", async () => {
    const room = createRoom();
    const [ada, old] = [await room.connect("ada"), await room.connect("old", { vsn: "1.0.0" })];
    old.write('{"topic":"room:a","event":"phx_join","payload":{},"ref":"1"}');
    await old.flush();
    ada.send(...JOIN);
    ada.send("1", "2", "room:a", "blob_say", {});
    expect(await ada.flush()).toEqual([JOINED, names(2, ["room:a", "blob"], [7])]);
    expect(await old.flush()).toEqual([]);
    expect(old.closeCode).toBeUndefined();
  });

  test.each([
    ["another kind than a push", Buffer.from([1, 0, 0, 0, 0])],
    ["nothing", Buffer.alloc(0)],
    ["a header that is cut short", Buffer.from([0, 1, 1])],
    ["names that are cut short", Buffer.from([0, 9, 9, 9, 9, 49])],
    ["a name that is no UTF-8", Buffer.from([0, 1, 0, 0, 0, 0xff])],
  ])("%s closes the connection with 1011", async (_what, data) => {
    const ada = await createRoom().connect("ada");
    ada.write(data);
    await ada.flush();
    expect(ada.closeCode).toBe(1011);
  });

  test("bytes for one person pass their clients of version 1 by, and reach the others", async () => {
    const room = createRoom();
    const [ada, old, tab] = [
      await room.connect("ada"),
      await room.connect("bob", { vsn: "1.0.0" }),
      await room.connect("bob"),
    ];
    old.write('{"topic":"room:a","event":"phx_join","payload":{},"ref":"1"}');
    await old.flush();
    for (const pair of [ada, tab]) pair.send(...JOIN);
    await tab.flush();
    ada.send("1", "2", "room:a", "blob_to", { to: "bob" });
    ada.send("1", "3", "room:a", "echo", {});
    expect(await ada.flush()).toEqual([JOINED, ok("1", "3")]);
    expect(await tab.flush()).toEqual([names(0, ["1", "room:a", "blob"], [6])]);
    old.write('{"topic":"room:a","event":"echo","payload":{},"ref":"2"}');
    expect(await old.flush()).toMatchObject([{ event: "phx_reply", ref: "2" }]);
    expect(room.crashes).toEqual([]);
  });

  test("a topic of more bytes than a binary message can name closes the connection with 1011", async () => {
    const ada = await createRoom().connect("ada");
    ada.send("1", "1", `room:${"ü".repeat(125)}`, "phx_join", {});
    await ada.flush();
    expect(ada.closeCode).toBeUndefined();
    ada.send("1", "1", `room:${"ü".repeat(126)}`, "phx_join", {});
    await ada.flush();
    expect(ada.closeCode).toBe(1011);
  });
});

describe("presence", () => {
  type Metas = { metas: { phx_ref: string; phx_ref_prev?: string; [name: string]: unknown }[] };
  type Diff = { joins: Record<string, Metas>; leaves: Record<string, Metas> };
  const readDiffs = (frames: readonly unknown[]): Diff[] =>
    frames
      .filter((frame): frame is Frame => Array.isArray(frame) && frame[3] === "presence_diff")
      .map((frame) => frame[4] as Diff); // as the frames above say

  async function appear(room: RulesRoom, name: string, meta = {}) {
    const pair = await room.connect(name);
    pair.send(...JOIN);
    pair.send("1", "2", "room:a", "appear", meta);
    const frames = await pair.flush();
    return { pair, frames };
  }

  test("a diff goes to everybody without a join_ref, to the one who appeared too", async () => {
    const room = createRoom();
    const watcher = await appear(room, "watcher");
    const { frames } = await appear(room, "ada", { mood: "calm" });
    const diff = { joins: { ada: { metas: [{ mood: "calm", phx_ref: expect.any(String) }] } }, leaves: {} };
    const frame = [null, null, "room:a", "presence_diff", diff];
    expect(frames).toEqual([JOINED, ok("1", "2"), frame]);
    expect(await watcher.pair.flush()).toEqual([frame]);
  });

  test("two tabs are two metas of one key, and a diff has only the one that changed", async () => {
    const room = createRoom();
    const first = await appear(room, "ada", { tab: 1 });
    const second = await appear(room, "ada", { tab: 2 });
    first.pair.send("1", "3", "room:a", "who", {});
    const [diff, state] = await first.pair.flush();
    expect(readDiffs([diff])[0]?.joins.ada?.metas).toEqual([{ tab: 2, phx_ref: expect.any(String) }]);
    expect(state).toEqual([
      "1",
      null,
      "room:a",
      "presence_state",
      { ada: { metas: [expect.objectContaining({ tab: 1 }), expect.objectContaining({ tab: 2 })] } },
    ]);

    second.pair.send("1", "3", "room:a", "phx_leave", {});
    await second.pair.flush();
    const [left] = readDiffs(await first.pair.flush());
    expect(left).toEqual({ joins: {}, leaves: { ada: { metas: [expect.objectContaining({ tab: 2 })] } } });
  });

  test("a changed meta has a new ref and names the one before", async () => {
    const room = createRoom();
    const { pair, frames } = await appear(room, "ada", { muted: false });
    const before = readDiffs(frames)[0]?.joins.ada?.metas[0];
    pair.send("1", "3", "room:a", "appear", { muted: true });
    const [diff] = readDiffs(await pair.flush());
    expect(diff?.leaves).toEqual({ ada: { metas: [before] } });
    const [after] = diff?.joins.ada?.metas ?? [];
    expect(after).toEqual({ muted: true, phx_ref: expect.any(String), phx_ref_prev: before?.phx_ref });
    expect(after?.phx_ref).not.toBe(before?.phx_ref);
  });

  test.each([
    ["leaves", ["1", "3", "room:a", "phx_leave", {}]],
    ["crashes", ["1", "3", "room:a", "raise", {}]],
    ["vanishes", ["1", "3", "room:a", "vanish", {}]],
  ])("somebody who %s is gone for the others at once", async (_how, message) => {
    const room = createRoom();
    const watcher = await appear(room, "watcher");
    const { pair } = await appear(room, "ada");
    await watcher.pair.flush();
    pair.send(...message);
    await pair.flush();
    expect(readDiffs(await watcher.pair.flush())).toEqual([
      { joins: {}, leaves: { ada: { metas: [{ phx_ref: expect.any(String) }] } } },
    ]);
  });

  test.each<[string, (room: RulesRoom, pair: SocketPair) => void]>([
    ["is lost", (_room, pair) => pair.drop()],
    ["is ended with the session", ({ people }) => people.change("ada", undefined)],
  ])("somebody whose connection %s is gone for the others", async (_how, end) => {
    const room = createRoom();
    const watcher = await appear(room, "watcher");
    const { pair } = await appear(room, "ada");
    await watcher.pair.flush();
    end(room, pair);
    expect(readDiffs(await watcher.pair.flush())[0]?.leaves).toHaveProperty("ada");
  });

  test("changes within one window travel as one diff", async () => {
    const room = createRoom({ presenceWindowMs: WINDOW_MS });
    const names = ["ada", "bob", "eve"];
    const pairs: SocketPair[] = [];
    for (const name of names) {
      const pair = await room.connect(name);
      pair.send(...JOIN);
      await pair.flush();
      pairs.push(pair);
    }
    const [first] = pairs;
    for (const pair of pairs) pair.send("1", "2", "room:a", "appear", {});
    // One turn for all: however late the window's end, nothing comes in between.
    await Promise.all(pairs.map((pair) => pair.flush()));
    const diffs: Diff[] = [];
    await until(async () => diffs.push(...readDiffs((await first?.flush()) ?? [])) > 0);
    expect(diffs.map(({ joins }) => Object.keys(joins).sort())).toEqual([names]);
  });
});

describe("the npm client over a pair", () => {
  const sockets: Socket[] = [];
  afterEach(() => {
    for (const socket of sockets.splice(0)) socket.disconnect();
  });

  /** `token` is no parameter of the product's own client, which keeps it out of addresses. */
  function connect(clients: PairedClients, token: string): Socket {
    const { transport } = clients;
    const socket = new Socket("ws://test/socket", {
      transport,
      params: { token },
      // Pushes that nobody answers keep a timer for so long.
      timeout: 500,
      rejoinAfterMs: () => 1,
      reconnectAfterMs: () => 1,
    });
    sockets.push(socket);
    socket.connect();
    return socket;
  }
  const settle = async (clients: PairedClients) => {
    for (let round = 0; round < 5; round++) {
      await clients.flush();
      await pause(3);
    }
  };

  test("a crash makes it join again with a new join_ref", async () => {
    const room = createRoom();
    const clients = pairClients(room);
    const channel = connect(clients, "ada").channel("room:a");
    channel.join();
    await settle(clients);
    channel.push("raise", {});
    await settle(clients);
    expect(channel.state).toBe("joined");
    expect(room.life).toEqual(["ada joined a", "ada left a", "ada joined a"]);
  });

  test("a close for good makes it forget the channel", async () => {
    const room = createRoom();
    const clients = pairClients(room);
    const channel = connect(clients, "ada").channel("room:a");
    channel.join();
    await settle(clients);
    channel.push("close", {});
    await settle(clients);
    expect(channel.state).toBe("closed");
    expect(room.life).toEqual(["ada joined a", "ada left a"]);
  });

  test("a lost line is opened again and its channels are joined again", async () => {
    const room = createRoom();
    const clients = pairClients(room);
    const channel = connect(clients, "ada").channel("room:a");
    channel.join();
    await settle(clients);
    clients.cut();
    await settle(clients);
    expect(channel.state).toBe("joined");
    expect(room.sockets.count()).toEqual({ connections: 1, channels: 1 });
  });

  test("a second channel of one topic takes the place of the first", async () => {
    const room = createRoom();
    const clients = pairClients(room);
    const socket = connect(clients, "ada");
    const first = socket.channel("room:a");
    first.join();
    await settle(clients);
    const second = socket.channel("room:a");
    second.join();
    await settle(clients);
    expect([first.state, second.state]).toEqual(["closed", "joined"]);
    expect(room.sockets.count()).toEqual({ connections: 1, channels: 1 });
  });

  test("a newcomer during a window sees nobody who has gone within it", async () => {
    const room = createRoom({ presenceWindowMs: WINDOW_MS });
    const clients = pairClients(room);
    const ghost = connect(clients, "ghost").channel("room:a");
    ghost.join();
    await settle(clients);
    const newcomer = connect(clients, "newcomer").channel("room:a");
    const presence = new Presence(newcomer);
    newcomer.join();
    await settle(clients);
    ghost.push("appear", {});
    newcomer.push("appear", {});
    newcomer.push("who", {});
    await clients.flush();
    ghost.push("vanish", {});
    await clients.flush();
    await until(async () => {
      await settle(clients);
      return !presence.list((key) => key).includes("ghost");
    });
    expect(presence.list((key) => key)).toEqual(["newcomer"]);
  });
});
