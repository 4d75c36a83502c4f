import { request } from "node:http";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { LongPoll, Socket as PhoenixSocket } from "phoenix";
import { WebSocket } from "ws";
import { toLiveTopic } from "#contract/content/objects.ts";
import { type Participant, ROOM_SENDS, toRoomTopic } from "#contract/voice/room-channel.ts";
import { createSocket } from "#providers/socket/socket.ts";
import { receive } from "#providers/socket/topic.ts";
import type { KeptSession } from "../cluster/kills/session.ts";

/** From so many addresses: handshakes are limited by address. */
const ADDRESSES = 50;
/** So many sockets, of as many people, are in the voice room. It has ten seats. */
const IN_ROOM = 8;
const LATE_MS = 30_000;
/** Longer than a poll waits. */
const POLL_MS = 40_000;

/** What became of those who listen. */
export interface Listening {
  /** Milliseconds from the loss of a topic to its next join. */
  readonly gaps: number[];
  countAway(): number;
  /** @throws Error where some aren't back after half a minute, with what they are at */
  untilJoined(): Promise<void>;
  close(): void;
}

/** Polls from an address. */
const toPolls = (localAddress: string, onOpen: () => void) =>
  class extends LongPoll {
    /** The client's own: what it cuts off when it closes. */
    declare readonly reqs: Set<{ req: { abort(): void } }>;
    constructor(...args: ConstructorParameters<typeof LongPoll>) {
      super(...args);
      onOpen();
    }
    ajax(
      method: string,
      headers: Record<string, string>,
      body: string | null,
      onTimeout: () => void,
      onAnswer: (answer: unknown) => void,
    ) {
      const sent = request(this.endpointURL(), { method, headers, localAddress, timeout: POLL_MS });
      const entry = { req: { abort: () => void sent.destroy() } };
      const end = (tell: () => void) => this.reqs.delete(entry) && tell();
      this.reqs.add(entry);
      sent.once("response", async (response) => {
        const answer = await json(response).catch(() => null);
        end(() => onAnswer(answer));
      });
      sent.once("error", () => end(() => onAnswer(null)));
      sent.once("timeout", () => {
        end(onTimeout);
        sent.destroy();
      });
      sent.end(body ?? undefined);
    }
  };

/** How many there are of each. */
function toCounts(texts: readonly string[]): string {
  const counts = Map.groupBy(texts, (text) => text);
  return [...counts].map(([text, { length }]) => `${length}: ${text}`).join("; ");
}

/** The page's client, so many for each person: the first of some in a voice room, the others before a live list. */
export function openListeners(
  url: string,
  people: readonly KeptSession[],
  { each, roomId }: { each: number; roomId: string },
): Listening {
  const gaps: number[] = [];
  const away = new Map<number, number>();
  const describers: (() => string)[] = [];
  const closers: (() => void)[] = [];
  for (let index = 0; index < people.length * each; index += 1) {
    const kept = people[index % people.length] as KeptSession;
    const isInRoom = index < IN_ROOM;
    const localAddress = `127.0.0.${2 + (index % ADDRESSES)}`;
    const nothing = new EventTarget();
    let transport = "no transport";
    let topic = "not asked";
    const socket = createSocket({
      baseUrl: url,
      session: kept.session,
      load: async () => ({
        Socket: PhoenixSocket,
        LongPoll: toPolls(localAddress, () => {
          transport = "polls";
        }),
      }),
      webSocket: class extends WebSocket {
        constructor(address: string, protocols?: string | string[]) {
          super(address, protocols, { localAddress });
          transport = "WebSocket";
        }
      },
      page: {
        window: nothing,
        document: Object.assign(nothing, { visibilityState: "visible" as const }),
      },
    });
    let seat: Pick<Participant, "id" | "join_number"> | undefined;
    const take = (one: Participant) => {
      if (one.user_id === String(kept.member.userId)) seat = { id: one.id, join_number: one.join_number };
    };
    let isFirst = true;
    away.set(index, performance.now());
    const membership = socket.join(isInRoom ? toRoomTopic(roomId) : toLiveTopic("cv.certificate"), {
      params: () => (seat ? { seat } : {}),
      on: isInRoom
        ? {
            roster_snapshot: receive(ROOM_SENDS.roster_snapshot, ({ participants }) =>
              participants.forEach(take),
            ),
            participant_joined: receive(ROOM_SENDS.participant_joined, take),
          }
        : {},
      onState(state) {
        topic = state;
        const since = away.get(index);
        if (state !== "joined") away.set(index, since ?? performance.now());
        else if (since !== undefined) {
          away.delete(index);
          if (!isFirst) gaps.push(performance.now() - since);
          isFirst = false;
        }
      },
    });
    describers.push(
      () =>
        `${transport}, topic ${topic}, ${socket.getStatus()}, ${socket.getFailedTries()} failed tries${isInRoom ? ", in the room" : ""}`,
    );
    closers.push(() => {
      membership.leave();
      socket.close();
    });
  }
  return {
    gaps,
    countAway: () => away.size,
    async untilJoined() {
      const end = performance.now() + LATE_MS;
      while (away.size > 0) {
        if (performance.now() > end) {
          const texts = [...away.keys()].map((index) => describers[index]?.() ?? "");
          throw new Error(`${away.size} sockets aren't back. ${toCounts(texts)}`);
        }
        await sleep(20);
      }
    },
    close() {
      for (const close of closers) close();
    },
  };
}
