import { setTimeout as sleep } from "node:timers/promises";
import { LongPoll, Socket as PhoenixSocket } from "phoenix";
import { WebSocket } from "ws";
import { type Participant, ROOM_SENDS, toRoomTopic } from "#contract/voice/room-channel.ts";
import { createSocket } from "#providers/socket/socket.ts";
import { receive } from "#providers/socket/topic.ts";
import type { KeptSession } from "./session.ts";

const WORD_MS = 200;
/** A pause of one who speaks five times a second is one above this: below it, it is the machine's. */
const SILENCE_MS = 1_000;
/** Everybody is back once each has heard each other one within this, for as long as `STEADY_MS`. */
const HEARD_MS = 500;
const STEADY_MS = 2_000;
const NEVER_MS = 60_000;

/** Who heard whom when, over all rooms. */
export class Hearing {
  readonly #at = new Map<string, number>();
  #pairs = 0;
  #endedAt = 0;
  #longest = 0;

  expect(pairs: number): void {
    this.#pairs += pairs;
  }

  hear(listener: number, speaker: string): void {
    const pair = `${speaker} ${listener}`;
    const now = performance.now();
    const silence = now - (this.#at.get(pair) ?? now);
    this.#at.set(pair, now);
    this.#longest = Math.max(this.#longest, silence);
    if (silence > SILENCE_MS) this.#endedAt = now;
  }

  #isWhole(): boolean {
    const since = performance.now() - HEARD_MS;
    let heard = 0;
    for (const at of this.#at.values()) if (at >= since) heard += 1;
    return heard === this.#pairs;
  }

  /** Pairs of whom one doesn't hear the other now. */
  listSilent(): string[] {
    const since = performance.now() - HEARD_MS;
    return [...this.#at].filter(([, at]) => at < since).map(([pair]) => pair);
  }

  /** Waits until all hear each other. @returns the longest silence since the last call, and when the last one ended; milliseconds */
  async untilWhole(): Promise<{ longest: number; endedAt: number }> {
    const begin = performance.now();
    let wholeAt = begin;
    while (performance.now() - wholeAt < STEADY_MS) {
      if (!this.#isWhole()) wholeAt = performance.now();
      if (wholeAt - begin > NEVER_MS)
        throw new Error(`not heard for a minute: ${this.listSilent().join(", ")}`);
      await sleep(20);
    }
    const measured = { longest: this.#longest, endedAt: this.#endedAt };
    this.#longest = 0;
    return measured;
  }
}

/** Somebody in a room, by the app's own socket. */
export interface Caller {
  kept: KeptSession;
  /** How often the room was joined, and refused. */
  readonly joins: number;
  readonly refusals: string[];
  /** Whom the browser shows. */
  readonly roster: ReadonlySet<string>;
  isQuiet: boolean;
  leave(): void;
}

export function openCaller(url: string, roomId: string, kept: KeptSession, hearing: Hearing): Caller {
  const nothing = new EventTarget();
  const socket = createSocket({
    baseUrl: url,
    session: kept.session,
    load: async () => ({ Socket: PhoenixSocket, LongPoll }),
    webSocket: WebSocket,
    page: { window: nothing, document: Object.assign(nothing, { visibilityState: "visible" as const }) },
  });
  let joins = 0;
  let seat: { id: string; join_number: number } | undefined;
  const refusals: string[] = [];
  const roster = new Set<string>();
  const own = String(kept.member.userId);
  const add = (one: Participant) => {
    roster.add(one.user_id);
    if (one.user_id === own) seat = { id: one.id, join_number: one.join_number };
  };
  const membership = socket.join(toRoomTopic(roomId), {
    params: () => (seat ? { seat } : {}),
    on: {
      "ice-candidate": receive(ROOM_SENDS["ice-candidate"], ({ from_user_id }) =>
        hearing.hear(kept.member.userId, from_user_id),
      ),
      roster_snapshot: receive(ROOM_SENDS.roster_snapshot, ({ participants }) => {
        roster.clear();
        for (const one of participants) add(one);
      }),
      participant_joined: receive(ROOM_SENDS.participant_joined, add),
      participant_left: receive(ROOM_SENDS.participant_left, ({ user_id }) => void roster.delete(user_id)),
    },
    onState(state, answer) {
      if (state === "joined") joins += 1;
      else if (state === "closed") refusals.push(`closed ${JSON.stringify(answer)}`);
      else if (answer !== undefined) refusals.push(JSON.stringify(answer));
    },
  });
  const caller = {
    kept,
    get joins() {
      return joins;
    },
    refusals,
    roster,
    isQuiet: false,
    leave() {
      clearInterval(timer);
      membership.leave();
      socket.close();
    },
  };
  const timer = setInterval(() => {
    if (!caller.isQuiet) membership.send("ice-candidate", { candidate: "candidate:1" });
  }, WORD_MS);
  return caller;
}
