/** @jest-environment node */
import { expect, test } from "@jest/globals";
import type { LiveEvent as RefineEvent } from "@refinedev/core";
import type { LiveEvent } from "#contract/content/objects.ts";
import type { JoinOptions } from "../socket/socket.ts";
import type { TopicState } from "../socket/topic.ts";
import { createLiveProvider } from "./live.ts";

const TOPIC = "admin:cv.certificate";
const EVENT: LiveEvent = { type: "updated", content_type_id: 7, ids: [4], is_many: false };

/** A socket whose topics a test moves by hand. */
function createFakeSocket() {
  const members: { topic: string; options: JoinOptions }[] = [];
  return {
    members,
    join(topic: string, options: JoinOptions) {
      const member = { topic, options };
      members.push(member);
      return {
        push: () => Promise.reject(new Error("unused")),
        send: () => false,
        leave() {
          members.splice(members.indexOf(member), 1);
        },
      };
    },
    publish(payload: unknown) {
      return members.map(({ options }) => options.on.changed?.(payload));
    },
    become(...states: TopicState[]) {
      for (const state of states) for (const { options } of members) options.onState?.(state);
    },
  };
}

function setUp(types = ["*"], options: { lingerMs?: number } = {}) {
  const socket = createFakeSocket();
  const provider = createLiveProvider(socket, options);
  const received: RefineEvent[] = [];
  const subscribe = (channel = TOPIC) =>
    provider.subscribe({ channel, types, callback: (event) => received.push(event) });
  return { socket, provider, received, subscribe };
}

test("an event of the topic reaches the subscriber with its ids", () => {
  const { socket, received, subscribe } = setUp();
  subscribe();
  socket.publish(EVENT);
  expect(received).toEqual([
    {
      channel: TOPIC,
      type: "updated",
      payload: { ids: [4], isMany: false },
      date: expect.any(Date),
    },
  ]);
});

test("an event that isn't one is not passed on, and the socket is notified", () => {
  const { socket, received, subscribe } = setUp();
  subscribe();
  expect(socket.publish({ ...EVENT, ids: ["4"] })).toEqual([false]);
  expect(received).toEqual([]);
});

test("a subscriber receives the types that it named, and always that of catching up", () => {
  const { socket, received, subscribe } = setUp(["deleted"]);
  subscribe();
  socket.publish(EVENT);
  socket.become("joined");
  socket.publish({ ...EVENT, type: "deleted" });
  expect(received.map(({ type }) => type)).toEqual(["*", "deleted"]);
});

test("every join, and the topic's end, says to each subscriber that events may have been missed", () => {
  const { socket, received, subscribe } = setUp();
  subscribe();
  subscribe();
  const published: number[] = [];
  for (const state of ["joined", "waiting", "joined", "closed"] as const) {
    socket.become(state);
    published.push(received.length);
  }
  expect(published).toEqual([2, 2, 4, 6]);
  expect(new Set(received.map(({ type }) => type))).toEqual(new Set(["*"]));
});

test("unsubscribing leaves nothing behind", () => {
  const { socket, provider, subscribe } = setUp();
  const subscriptions = [subscribe(), subscribe("admin:cv.job")];
  for (const subscription of subscriptions) provider.unsubscribe(subscription);
  expect(socket.members).toEqual([]);
});

test("a topic stays joined for the screen that comes next, and whoever has gone receives nothing of it", async () => {
  const { socket, provider, received, subscribe } = setUp(["*"], { lingerMs: 20 });
  provider.unsubscribe(subscribe());
  expect(socket.members).toHaveLength(1);
  socket.publish(EVENT);
  socket.become("joined", "closed");
  expect(received).toEqual([]);
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(socket.members).toEqual([]);
});
