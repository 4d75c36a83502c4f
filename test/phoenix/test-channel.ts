import { setTimeout as pause } from "node:timers/promises";
import * as z from "zod/mini";
import type { SignedIn } from "#server/base/actor.ts";
import {
  accept,
  type Channel,
  declareChannel,
  fail,
  type HandlerReply,
  type Member,
  ok,
  refuse,
  stop,
} from "#server/socket/channel.ts";

const SLOW_MS = 400;

const anything = z.unknown();
const bytes = z.instanceof(Uint8Array);
const userId = z.string();
const signal = z.looseObject({ target_user_id: userId });

const sends = {
  roster_snapshot: z.object({
    participants: z.array(z.object({ id: userId, display_name: z.string(), is_muted: z.boolean() })),
  }),
  participant_joined: z.object({ user_id: userId, display_name: z.string() }),
  participant_speaking: z.object({ user_id: userId, is_speaking: z.boolean() }),
  participant_muted: z.object({ user_id: userId, is_muted: z.boolean() }),
  shouted: anything,
  offer: z.looseObject({ from_user_id: userId }),
  answer: z.looseObject({ from_user_id: userId }),
  "ice-candidate": z.looseObject({ from_user_id: userId }),
  bin_pushed: bytes,
  bin_broadcast: bytes,
};

/** Of a handshake; only a test lets its parameters say who somebody is. */
export interface TestPerson extends SignedIn {
  authToken: string | null;
}

interface State {
  username: string;
  /** What follows the join has been sent; the recorded channel answers nothing before. */
  hasSettled: Promise<void>;
}
type Person = Member<State, typeof sends>;

/** Everybody once, however many tabs they have. */
function listRoster(member: Person) {
  const roster = new Map<string, { id: string; display_name: string; is_muted: boolean }>();
  for (const { key, meta } of member.listPresence()) {
    const display_name = String(meta.username);
    if (!roster.has(key)) roster.set(key, { id: key, display_name, is_muted: meta.muted === true });
  }
  return [...roster.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
}

function relay(event: "offer" | "answer" | "ice-candidate") {
  return {
    schema: signal,
    handle(member: Person, payload: z.output<typeof signal>): void {
      member.sendTo(payload.target_user_id, event, { ...payload, from_user_id: member.key });
    },
  };
}

const withoutPayload = (handle: (member: Person) => ReturnType<typeof stop> | HandlerReply | undefined) => ({
  schema: anything,
  handle,
});

const createVoiceRoom = (disconnect: (userId: number) => void) =>
  declareChannel({
    topic: "voice:room:{room}",
    sends,
    join({ params, person, connectionParams, payload }) {
      if (params.room === "missing") return refuse("room_not_found");
      if (params.room === "crash") throw new Error("this join crashes");
      const { authToken } = person as TestPerson; // as the test server's `connect` makes them
      const username = connectionParams.username ?? person.username;
      const state: State = { username, hasSettled: Promise.resolve() };
      const response = { room_id: params.room, you: person.username, got: payload, auth_token: authToken };
      return accept(state, { response, key: person.username });
    },
    joined(member) {
      const { username } = member.state;
      member.push("roster_snapshot", { participants: listRoster(member) });
      member.track({ username, muted: false });
      // Behind the diff, which goes out at the end of this turn.
      member.state.hasSettled = Promise.resolve().then(() => {
        member.pushPresenceState();
        member.broadcastFrom("participant_joined", { user_id: member.key, display_name: username });
      });
    },
    events: {
      echo: {
        schema: anything,
        async handle(member, payload) {
          await member.state.hasSettled;
          return ok(payload);
        },
      },
      fail: withoutPayload(() => fail("not_participant")),
      custom_status: withoutPayload(() => ({ kind: "reply", status: "busy", response: { n: 1 } })),
      noreply: withoutPayload(() => undefined),
      slow: {
        schema: anything,
        async handle() {
          await pause(SLOW_MS);
          return ok();
        },
      },
      shout: {
        schema: anything,
        handle(member, payload) {
          member.broadcast("shouted", payload);
          return ok();
        },
      },
      speaking: {
        schema: z.object({ is_speaking: z.boolean() }),
        handle: (member, { is_speaking }) =>
          member.broadcastFrom("participant_speaking", { user_id: member.key, is_speaking }),
      },
      mute: withoutPayload((member) => {
        member.broadcastFrom("participant_muted", { user_id: member.key, is_muted: true });
        member.track({ username: member.state.username, muted: true });
        return ok();
      }),
      raise: withoutPayload(() => {
        throw new Error("this handler raises");
      }),
      stop_normal: withoutPayload(() => stop()),
      stop_reply: withoutPayload(() => stop({ reply: ok({ bye: true }) })),
      stop_crash: withoutPayload(() => stop({ isCrash: true })),
      disconnect_me: withoutPayload((member) => {
        disconnect(member.person.userId);
        return undefined;
      }),
      bin_reply: { schema: bytes, handle: (_member, payload) => ok(payload) },
      bin_push: { schema: bytes, handle: (member, payload) => member.push("bin_pushed", payload) },
      bin_bcast: { schema: bytes, handle: (member, payload) => member.broadcast("bin_broadcast", payload) },
      offer: relay("offer"),
      answer: relay("answer"),
      "ice-candidate": relay("ice-candidate"),
    },
    /** The recorded channel has no clause for other events and crashes. */
    otherwise(_member, event) {
      throw new Error(`no clause for ${event}`);
    },
  });

const bench = declareChannel({
  topic: "bench:{n}",
  sends: {},
  join: () => accept(null),
  events: {},
});

/** The channels that the recorded server had. `disconnect` ends every connection of a person. */
export function createTestChannels(disconnect: (userId: number) => void): readonly Channel[] {
  return [createVoiceRoom(disconnect), bench];
}
