/** @jest-environment node */
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import * as z from "zod/mini";
import { SOCKET_CLIENT } from "#contract/socket.ts";
import type { AuthState } from "../http/auth-state.ts";
import { createSocket, type SocketOptions, toSocketAddress } from "./socket.ts";
import { createWire } from "./test-wire.ts";
import { type PushError, receive, type TopicState } from "./topic.ts";

const TOPIC = "admin:cv.certificate";
/** What link.ts asks of a connection before it trusts it. */
const LASTING_MS = 5000;

beforeEach(() => {
  // The client's timers are the test's; promises go on by themselves.
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
});
afterEach(() => {
  jest.useRealTimers();
});

const wait = (ms: number) => jest.advanceTimersByTimeAsync(ms);

/** Somebody signed in, whose tokens are numbered. */
function createSession() {
  const listeners = new Set<() => void>();
  const person = (id: number) => ({ user: { id } }) as AuthState;
  const state = {
    auth: person(1) as AuthState | null,
    count: 1,
    isDown: false,
    isSilent: false,
    hasEnded: false,
    asked: 0,
  };
  const session: SocketOptions["session"] = {
    async getAccessToken() {
      state.asked += 1;
      if (state.isDown) throw new Error("Failed to fetch");
      if (state.isSilent) await new Promise(() => undefined);
      return state.auth && `token-${state.count}`;
    },
    async renewAccessToken(refused) {
      if (refused === `token-${state.count}`) state.count += 1;
      if (state.hasEnded) change(null);
      return state.auth && `token-${state.count}`;
    },
    getAuthState: () => state.auth,
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  function change(auth: AuthState | null) {
    state.auth = auth;
    for (const listener of listeners) listener();
  }
  return { session, state, signOut: () => change(null), signIn: (id: number) => change(person(id)) };
}

class FakePage extends EventTarget {
  visibilityState: DocumentVisibilityState = "visible";
}

function setUp(options: Partial<SocketOptions> = {}) {
  const wire = createWire();
  const person = createSession();
  const window = new EventTarget();
  const document = new FakePage();
  const load = jest.fn(async () => wire.phoenix);
  const socket = createSocket({
    baseUrl: "https://back.test",
    session: person.session,
    load,
    webSocket: wire.webSocket,
    // Typed events are the one thing that a bare EventTarget lacks.
    page: { window, document: document as unknown as Document },
    random: () => 0,
    ...options,
  });
  const statuses: string[] = [];
  socket.subscribe(() => statuses.push(socket.getStatus()));
  const join = (topic = TOPIC) => {
    const states: TopicState[] = [];
    const answers: unknown[] = [];
    const received: number[] = [];
    const membership = socket.join(topic, {
      on: { changed: receive(z.object({ n: z.number() }), ({ n }) => received.push(n)) },
      onState(state, answer) {
        states.push(state);
        answers.push(answer);
      },
    });
    return { ...membership, states, answers, received };
  };
  return { wire, socket, statuses, join, load, window, document, ...person };
}

describe("the connection", () => {
  test("is opened with the first topic, by a part of the app that is fetched then", async () => {
    const { wire, join, load, statuses } = setUp();
    await wait(100);
    expect(load).not.toHaveBeenCalled();
    join();
    await wait(100);
    expect(load).toHaveBeenCalledTimes(1);
    expect(wire.ends).toHaveLength(1);
    expect(wire.last().url).toBe("wss://back.test/socket/websocket?vsn=2.0.0");
    expect(wire.last().token).toBe("token-1");
    expect(statuses).toEqual(["connecting", "connected"]);
  });

  test("closes a moment after the last topic, and outlives a change of screens", async () => {
    const { wire, join, socket } = setUp();
    const first = join();
    await wait(100);
    first.leave();
    const second = join("admin:cv.job");
    await wait(5000);
    expect(wire.ends).toHaveLength(1);
    expect(socket.getStatus()).toBe("connected");
    second.leave();
    await wait(1000);
    expect(socket.getStatus()).toBe("idle");
    expect(wire.sent().filter((text) => !text.startsWith("phoenix"))).toEqual([
      `${TOPIC} phx_join`,
      `${TOPIC} phx_leave`,
      "admin:cv.job phx_join",
      "admin:cv.job phx_leave",
    ]);
  });

  test("that is held stands before the first topic and after the last one, for as long as somebody is signed in", async () => {
    const { wire, join, socket, signOut, signIn } = setUp();
    socket.hold();
    await wait(100);
    expect(socket.getStatus()).toBe("connected");
    join().leave();
    await wait(5000);
    expect(wire.ends).toHaveLength(1);
    expect(socket.getStatus()).toBe("connected");
    signOut();
    expect(socket.getStatus()).toBe("idle");
    signIn(2);
    await wait(100);
    expect(socket.getStatus()).toBe("connected");
  });

  test("asks for the token of the moment each time", async () => {
    const { wire, join, state } = setUp();
    join();
    await wait(100);
    state.count = 5;
    wire.last().drop();
    await wait(100);
    expect(wire.ends.map(({ token }) => token)).toEqual(["token-1", "token-5"]);
  });

  test("is not tried while the session can't be asked, and comes by itself once it can", async () => {
    const { wire, join, state, socket } = setUp();
    state.isDown = true;
    join();
    await wait(3000);
    expect(wire.ends).toHaveLength(0);
    expect(socket.getStatus()).toBe("reconnecting");
    state.isDown = false;
    await wait(5000);
    expect(socket.getStatus()).toBe("connected");
  });

  test("doesn't wait for ever where the session gets no answer", async () => {
    const { wire, join, state, socket } = setUp();
    state.isSilent = true;
    join();
    await wait(SOCKET_CLIENT.timeoutMs - 1);
    expect(state.asked).toBe(1);
    state.isSilent = false;
    await wait(5000);
    expect(wire.ends).toHaveLength(1);
    expect(socket.getStatus()).toBe("connected");
  });

  test("ends with the session: no more tries until somebody signs in", async () => {
    const { wire, join, socket, state, signOut, signIn } = setUp();
    const { states } = join();
    await wait(100);
    signOut();
    await wait(60_000);
    expect(wire.ends).toHaveLength(1);
    expect(socket.getStatus()).toBe("idle");
    state.count = 2;
    signIn(2);
    await wait(100);
    expect(wire.last().token).toBe("token-2");
    expect(states).toEqual(["joined", "waiting", "joined"]);
  });

  test("that the server ends for good asks whether the session is over, and stops if it is", async () => {
    const { wire, join, socket, state } = setUp();
    join();
    await wait(100);
    state.hasEnded = true;
    wire.last().drop(1001);
    await wait(60_000);
    expect(wire.ends).toHaveLength(1);
    expect(socket.getStatus()).toBe("idle");
  });

  test("with a token that the server refuses takes a new one, once", async () => {
    const { wire, join, socket } = setUp();
    wire.server.refusedTokens.add("token-1");
    join();
    await wait(1000);
    expect(socket.getStatus()).toBe("connected");
    expect(wire.ends.map(({ kind, token }) => `${kind} ${token}`)).toEqual([
      "websocket token-1",
      "longpoll token-1",
      "websocket token-2",
    ]);
  });

  test("with a token that was renewed and has served asks again when that one is refused", async () => {
    const { wire, join, socket, state } = setUp();
    wire.server.refusedTokens.add("token-1");
    join();
    await wait(LASTING_MS + 1000);
    const connections = wire.ends.length;
    state.hasEnded = true;
    wire.last().drop(1001);
    await wait(60_000);
    expect(wire.ends).toHaveLength(connections);
    expect(socket.getStatus()).toBe("idle");
  });

  test("that is refused with a new token too doesn't make tokens without end", async () => {
    const { wire, join, state } = setUp();
    for (let n = 1; n < 100; n += 1) wire.server.refusedTokens.add(`token-${n}`);
    join();
    await wait(120_000);
    expect(state.count).toBe(2);
  });

  test.each([1001, 1011])(
    "that ends with %i soon after each join is no storm, renews one token at most, and is reported as lost",
    async (code) => {
      const { wire, join, state, socket, statuses } = setUp();
      join();
      await wait(LASTING_MS + 1000);
      for (let passedMs = 0; passedMs < 60_000; passedMs += 30) {
        if (wire.last().isOpen()) wire.last().drop(code);
        await wait(30);
      }
      // Ten documented steps take 4.3 s; each later try comes 5 s behind the one before.
      expect(wire.ends.length).toBeLessThan(25);
      expect(state.count).toBe(code === 1001 ? 2 : 1);
      const last = statuses.lastIndexOf("connected");
      expect(statuses.slice(last)).toEqual(["connected", "reconnecting"]);
      expect(statuses.filter((status) => status === "connected").length).toBeLessThan(4);
      await wait(12_000);
      expect(socket.getStatus()).toBe("connected");
    },
  );

  test("comes back after the documented steps, and after no more than 5 s", async () => {
    const { wire, join, socket } = setUp();
    join();
    await wait(LASTING_MS + 100);
    Object.assign(wire.server, { websocket: "down", longpoll: "down" });
    wire.last().drop(1012);
    const from = wire.ends.length;
    const lostAt = Date.now();
    await wait(30_000);
    expect(socket.getStatus()).toBe("reconnecting");
    // A long poll that steps in for a WebSocket belongs to the same try.
    const tries = wire.ends.slice(from).filter(({ kind }) => kind === "websocket");
    const pauses = tries.map(({ at }, n) => at - (tries[n - 1]?.at ?? lostAt));
    for (const [n, stepMs] of [...SOCKET_CLIENT.reconnectAfterMs, 5000, 5000].entries()) {
      // Failing takes the wire a millisecond for each transport.
      expect(pauses[n]).toBeGreaterThanOrEqual(stepMs);
      expect(pauses[n]).toBeLessThan(stepMs + 10);
    }
    Object.assign(wire.server, { websocket: "up", longpoll: "up" });
    await wait(5000);
    expect(socket.getStatus()).toBe("connected");
    expect(wire.last().kind).toBe("websocket");
  });

  test("that a restart has cut off is no long poll afterwards", async () => {
    const { wire, join } = setUp();
    join();
    await wait(100);
    wire.server.websocket = "down";
    wire.last().drop(1012);
    await wait(400);
    wire.server.websocket = "up";
    await wait(1000);
    expect(wire.ends.map(({ kind }) => kind)).not.toContain("longpoll");
  });

  test.each(["down", "hanging", "mute"] as const)(
    "is a long poll where WebSockets are %s",
    async (websocket) => {
      const { wire, join, socket, statuses } = setUp();
      wire.server.websocket = websocket;
      const { states } = join();
      await wait(SOCKET_CLIENT.longPollFallbackMs * 2 + 100);
      expect(socket.getStatus()).toBe("connected");
      expect(wire.ends.map(({ kind }) => kind)).toEqual(["websocket", "longpoll"]);
      expect(states.at(-1)).toBe("joined");
      expect(statuses).toEqual(["connecting", "connected"]);
    },
  );

  test("is a long poll for one error at the start, and a WebSocket again when the page is looked at", async () => {
    const { wire, join, statuses, document } = setUp();
    wire.server.websocket = "down";
    const { states } = join();
    await wait(100);
    wire.server.websocket = "up";
    document.dispatchEvent(new Event("visibilitychange"));
    await wait(100);
    expect(wire.ends.map(({ kind }) => kind)).toEqual(["websocket", "longpoll", "websocket"]);
    expect(states.at(-1)).toBe("joined");
    expect(statuses).toEqual(["connecting", "connected"]);
  });

  test("by long poll is tried as a WebSocket every five minutes, of which nothing is shown where they are blocked", async () => {
    const { wire, join, statuses } = setUp();
    wire.server.websocket = "down";
    const { states } = join();
    await wait(299_000);
    expect(wire.ends).toHaveLength(2);
    await wait(2000);
    expect(wire.ends.map(({ kind }) => kind)).toEqual(["websocket", "longpoll", "websocket", "longpoll"]);
    expect(states.at(-1)).toBe("joined");
    wire.server.websocket = "up";
    await wait(301_000);
    expect(wire.last().kind).toBe("websocket");
    expect(statuses).toEqual(["connecting", "connected"]);
  });

  test("by long poll that ends is a WebSocket next", async () => {
    const { wire, join } = setUp();
    wire.server.websocket = "down";
    join();
    await wait(10_000);
    wire.server.websocket = "up";
    wire.last().drop();
    await wait(100);
    expect(wire.ends.map(({ kind }) => kind)).toEqual(["websocket", "longpoll", "websocket"]);
  });

  test("that was lost comes back at once when the network does, or on request", async () => {
    const { wire, join, socket, window, document } = setUp();
    join();
    await wait(100);
    const hurries = {
      online: () => window.dispatchEvent(new Event("online")),
      visible: () => document.dispatchEvent(new Event("visibilitychange")),
      thawed: () => document.dispatchEvent(new Event("resume")),
      "try now": () => socket.tryNow(),
    };
    for (const [name, hurry] of Object.entries(hurries)) {
      await wait(LASTING_MS);
      Object.assign(wire.server, { websocket: "down", longpoll: "down" });
      wire.last().drop();
      await wait(20_010);
      Object.assign(wire.server, { websocket: "up", longpoll: "up" });
      hurry();
      await wait(10);
      expect([name, socket.getStatus()]).toEqual([name, "connected"]);
    }
  });

  test("that only seems to stand when the page is looked at again is given up", async () => {
    const { wire, join, socket, document } = setUp();
    join();
    await wait(100);
    const [first] = wire.ends;
    wire.server.websocket = "mute";
    document.dispatchEvent(new Event("visibilitychange"));
    await wait(100);
    wire.server.websocket = "up";
    await wait(SOCKET_CLIENT.longPollFallbackMs);
    expect(wire.last()).not.toBe(first);
    expect(socket.getStatus()).toBe("connected");
  });

  test("of a page from the back/forward cache is made anew", async () => {
    const { wire, join, window } = setUp();
    const { states } = join();
    await wait(100);
    window.dispatchEvent(Object.assign(new Event("pageshow"), { persisted: true }));
    await wait(100);
    expect(wire.ends).toHaveLength(2);
    expect(states).toEqual(["joined", "waiting", "joined"]);
  });
});

describe("a topic", () => {
  test("is joined once for all who use it, and left by the last of them", async () => {
    const { wire, join } = setUp();
    const first = join();
    await wait(100);
    const second = join();
    await wait(100);
    expect(second.states).toEqual(["joined"]);
    wire.last().publish([null, null, TOPIC, "changed", { n: 1 }]);
    first.leave();
    first.leave();
    wire.last().publish([null, null, TOPIC, "changed", { n: 2 }]);
    expect([first.received, second.received]).toEqual([[1], [1, 2]]);
    second.leave();
    await wait(100);
    expect(wire.sent().filter((text) => text.startsWith(TOPIC))).toEqual([
      `${TOPIC} phx_join`,
      `${TOPIC} phx_leave`,
    ]);
  });

  test.each(["unauthorized", "unmatched topic"])(
    "that is refused for good (%s) is left, and not asked for again before somebody joins anew",
    async (reason) => {
      const { wire, join } = setUp();
      wire.server.refusedTopics.set(TOPIC, reason);
      const refused = join();
      join("admin:cv.job");
      await wait(60_000);
      expect(refused.states).toEqual(["closed"]);
      expect(wire.sent().filter((text) => text === `${TOPIC} phx_join`)).toHaveLength(1);
      wire.server.refusedTopics.clear();
      const { states } = join();
      await wait(100);
      const leaves = () => wire.sent().filter((text) => text === `${TOPIC} phx_leave`).length;
      const before = leaves();
      refused.leave();
      await wait(100);
      expect([states, leaves()]).toEqual([["joined"], before]);
    },
  );

  test("that is refused for now is asked for again", async () => {
    const { wire, join } = setUp();
    wire.server.refusedTopics.set(TOPIC, "join crashed");
    const { states, answers } = join();
    await wait(500);
    wire.server.refusedTopics.clear();
    await wait(1000);
    expect(states).toEqual(["waiting", "joined"]);
    expect(answers[0]).toEqual({ reason: "join crashed" });
  });

  test("says what a join or a refusal answered, also who comes later", async () => {
    const { wire, join } = setUp();
    wire.server.joinAnswer = { seat: "s1" };
    wire.server.refusedTopics.set("voice:room:full", "failed_to_join_room");
    const [first, refused] = [join(), join("voice:room:full")];
    await wait(100);
    const second = join();
    await wait(100);
    expect([first.answers, second.answers]).toEqual([[{ seat: "s1" }], [{ seat: "s1" }]]);
    expect(refused.answers).toEqual([{ reason: "failed_to_join_room" }]);
  });

  test("sends without an answer only while it is joined, and keeps nothing for later", async () => {
    const { wire, join } = setUp();
    const { send, push } = join();
    expect(send("speaking", { n: 1 })).toBe(false);
    await wait(100);
    expect(send("speaking", { n: 2 })).toBe(true);
    wire.last().drop();
    expect(send("speaking", { n: 3 })).toBe(false);
    const refused = push("ask", {}, z.object({})).catch((error: PushError) => error.reason);
    await wait(20_000);
    expect(await refused).toBe("not_connected");
    const said = wire.ends.flatMap(({ sent }) => sent.filter(([, , , event]) => event === "speaking"));
    expect(said).toEqual([[expect.any(String), expect.any(String), TOPIC, "speaking", { n: 2 }]]);
    expect(said[0]?.[0]).toBe(wire.ends[0]?.sent[0]?.[0]);
  });

  test("that the server closes is not joined again, one that crashes is", async () => {
    const { wire, join } = setUp();
    const closed = join();
    const crashed = join("admin:cv.job");
    await wait(100);
    wire.last().publish([null, null, TOPIC, "phx_close", {}]);
    wire.last().publish([null, null, "admin:cv.job", "phx_error", {}]);
    await wait(20_000);
    expect(closed.states).toEqual(["joined", "closed"]);
    expect(crashed.states).toEqual(["joined", "waiting", "joined"]);
  });

  test("drops a payload that isn't what its schema says, with a warning", async () => {
    const { wire, join } = setUp();
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { received } = join();
    await wait(100);
    wire.last().publish([null, null, TOPIC, "changed", { n: "one" }]);
    wire.last().publish([null, null, TOPIC, "constructor", {}]);
    expect(received).toEqual([]);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
  });

  test("gives a push's answer, or the reason why there is none", async () => {
    const { join } = setUp();
    const schema = z.object({});
    const reasonOf = (push: Promise<unknown>) => push.catch((error: PushError) => error.reason);
    const topic = join();
    expect(await reasonOf(topic.push("ask", {}, schema))).toBe("not_connected");
    await wait(100);
    const answered = topic.push("ask", {}, schema);
    const unanswered = reasonOf(topic.push("unknown", {}, schema));
    await wait(SOCKET_CLIENT.timeoutMs);
    expect(await answered).toEqual({});
    expect(await unanswered).toBe("timeout");
    topic.leave();
    expect(await reasonOf(topic.push("ask", {}, schema))).toBe("not_connected");
  });
});

test("the address follows the back end's origin", () => {
  expect(toSocketAddress("")).toBe("/socket");
  expect(toSocketAddress("http://localhost:4000/")).toBe("ws://localhost:4000/socket");
  expect(toSocketAddress("https://voice.example.org")).toBe("wss://voice.example.org/socket");
});
