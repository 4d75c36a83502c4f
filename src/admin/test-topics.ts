import { act } from "@testing-library/react";
import type { LiveEvent } from "#contract/content/objects.ts";
import type { JoinOptions, Socket } from "#providers/socket/socket.ts";
import type { TopicState } from "#providers/socket/topic.ts";

/** Topics that a test publishes to, and that it joins, loses and closes. `isJoining`: a join is answered at once. */
export function createFakeTopics({ isJoining = true } = {}) {
  const members = new Map<JoinOptions, string>();
  const of = (topic: string) =>
    [...members].flatMap(([options, joined]) => (joined === topic ? options : []));
  const become = (topic: string, state: TopicState) =>
    act(async () => {
      for (const { onState } of of(topic)) onState?.(state);
    });
  const join: Socket["join"] = (topic, options) => {
    members.set(options, topic);
    if (isJoining) queueMicrotask(() => members.has(options) && options.onState?.("joined"));
    return {
      push: () => Promise.reject(new Error("unused")),
      send: () => false,
      leave: () => void members.delete(options),
    };
  };
  return {
    join,
    publish: (topic: string, part: Partial<LiveEvent>) =>
      act(async () => {
        const event = { type: "updated", content_type_id: 7, ids: [], is_many: false, ...part };
        for (const { on } of of(topic)) on.changed?.(event);
      }),
    rejoin: (topic: string) => become(topic, "joined"),
    close: (topic: string) => become(topic, "closed"),
  };
}
