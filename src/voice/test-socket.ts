import type { JoinOptions, Socket } from "#providers/socket/socket.ts";
import type { TopicState } from "#providers/socket/topic.ts";

/** A message of the page to the server. */
interface Sent {
  event: string;
  payload: unknown;
}

/** The socket of a page without a server: the test says what the other end does. */
export function createTestSocket() {
  const members = new Map<string, Set<JoinOptions>>();
  const sent: Sent[] = [];
  const state = {
    status: "connected" as ReturnType<Socket["getStatus"]>,
    failedTries: 0,
    holds: 0,
    tries: 0,
  };
  /** What comes of a push; as it stands, each is taken. */
  const pushes = { answer: async (_event: string, _payload: object): Promise<unknown> => undefined };

  const listMembers = (topic: string) => [...(members.get(topic) ?? [])];
  const socket: Socket = {
    join(topic, options) {
      const all = members.get(topic) ?? new Set();
      members.set(topic, all.add(options));
      return {
        async push(event, payload, schema) {
          sent.push({ event, payload });
          return schema.parse(await pushes.answer(event, payload));
        },
        send(event, payload) {
          sent.push({ event, payload });
          return true;
        },
        leave: () => void all.delete(options),
      };
    },
    hold: () => undefined,
    getStatus: () => state.status,
    getFailedTries: () => state.failedTries,
    subscribe: () => () => undefined,
    tryNow: () => undefined,
    close: () => undefined,
  };
  return {
    socket,
    state,
    pushes,
    /** What was sent since it was last asked for. */
    takeSent: () => sent.splice(0),
    isJoined: (topic: string) => listMembers(topic).length > 0,
    /** What the page says of itself when it joins. */
    getParams: (topic: string) => listMembers(topic)[0]?.params?.(),
    /** The server says something; what the page's schema refuses is the test's mistake. */
    publish(topic: string, event: string, payload: unknown) {
      for (const { on } of listMembers(topic)) {
        if (!on[event]?.(payload))
          throw new Error(`${topic} can't take "${event}": ${JSON.stringify(payload)}`);
      }
    },
    become(topic: string, next: TopicState, answer?: unknown) {
      for (const { onState } of listMembers(topic)) onState?.(next, answer);
    },
  };
}
