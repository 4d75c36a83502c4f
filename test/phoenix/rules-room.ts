import { afterAll, beforeAll } from "@jest/globals";
import * as z from "zod/mini";
import type { SignedIn } from "#server/base/actor.ts";
import type { ProcessLink } from "#server/socket/away/homes.ts";
import { accept, declareChannel, fail, ok, refuse, stop } from "#server/socket/channel.ts";
import { createSockets } from "#server/socket/create-sockets.ts";
import type { Identities } from "#server/socket/identities.ts";
import type { SocketRules, Sockets } from "#server/socket/sockets.ts";
import { settle } from "#test/carriers.ts";
import { createLinkedProcesses } from "#test/linked-processes.ts";
import {
  createPairedClients,
  createSocketPair,
  type PairedClients,
  type SocketPair,
} from "#test/socket-pair.ts";

/** Somebody of that name; the same name is the same account. */
export function toPerson(name: string, level = 10): SignedIn {
  const userId = [...name].reduce((sum, sign) => sum * 256 + (sign.codePointAt(0) ?? 0), 0);
  return { userId, username: name, level, sessionId: `session of ${name}`, ipAddress: null, requestId: null };
}

/** Who signed out, and who has another level by now. */
class TestPeople implements Identities {
  readonly #changed = new Map<string, SignedIn | undefined>();
  #listener: (userIds: readonly number[] | undefined) => void = () => undefined;

  subscribe(listener: (userIds: readonly number[] | undefined) => void): void {
    this.#listener = listener;
  }

  async find(sessionIds: readonly string[]): Promise<ReadonlyMap<string, SignedIn>> {
    const found = new Map<string, SignedIn>();
    for (const id of sessionIds) {
      const person = this.#changed.has(id) ? this.#changed.get(id) : toPerson(id.slice("session of ".length));
      if (person) found.set(id, person);
    }
    return found;
  }

  change(name: string, person: SignedIn | undefined): void {
    const { sessionId, userId } = toPerson(name);
    this.#changed.set(sessionId, person);
    this.#listener([userId]);
  }
}

export interface RulesRoom {
  sockets: Sockets;
  people: TestPeople;
  /** What crashed, as the log got it. */
  crashes: string[];
  /** One line for each accepted join and each end of one. */
  life: string[];
  /** Who ended how. */
  ends: string[];
  /** What channels were signalled. */
  signals: string[];
  /** Lets every join and handler go on that waits. */
  openGate(): void;
  /** Opens a connection of that person. */
  connect(name: string, query?: Record<string, string>): Promise<SocketPair>;
}

/** Of the event loop, that a message and its answer take between two processes. */
const AWAY_TURNS = 6;

const anything = z.unknown();
const bytes = z.instanceof(Uint8Array);
const text = z.object({ text: z.string() });
const joinPayload = z.object({
  wait: z.optional(z.boolean()),
  refuse: z.optional(z.boolean()),
  /** The answer says what the channel knows of the joining. */
  ask: z.optional(z.boolean()),
});
const sends = { said: text, greeted: text, blob: bytes };

let isKeptAway = false;

/** In the tests of this file the rooms of clients are kept by a second process. */
export function keepRulesRoomsAway(): void {
  beforeAll(() => {
    isKeptAway = true;
  });
  afterAll(() => {
    isKeptAway = false;
  });
}

/** Links of two processes; what is homed is kept by the second one. */
function openTestLinks(): { link: ProcessLink; awayLink: ProcessLink } {
  const { here, away } = createLinkedProcesses("here", "away");
  here.link.retire();
  return { link: here.link, awayLink: away.link };
}

/** A server with one kind of room, whose events do one thing each. `link`: to other processes with such a server. */
export function createRulesRoom(rules: Partial<SocketRules> = {}, link?: ProcessLink): RulesRoom {
  const crashes: string[] = [];
  const life: string[] = [];
  const ends: string[] = [];
  const signals: string[] = [];
  const people = new TestPeople();
  let openGate: () => void = () => undefined;
  let gate = Promise.resolve();
  const close = () => {
    gate = new Promise((resolve) => {
      openGate = resolve;
    });
  };
  close();

  const room = declareChannel({
    topic: "room:{room}",
    isHomed: true,
    sends,
    join({ params, person, payload, connectionParams, listPresence }) {
      const { data: wants } = joinPayload.safeParse(payload);
      const decide = () => {
        if (params.room === "missing" || wants?.refuse) return refuse("room_not_found");
        if (params.room === "full") return refuse("failed_to_join_room", "full");
        if (params.room === "crash") throw new Error("join of crash");
        life.push(`${person.username} joined ${params.room}`);
        const present = () => [...listPresence()].map(({ key }) => key);
        return accept<string>("quiet", {
          key: person.username,
          response: wants?.ask ? { connectionParams, present: present() } : {},
        });
      };
      return wants?.wait ? gate.then(decide) : decide();
    },
    joined(member) {
      if (member.params.room === "greeting") member.push("greeted", { text: "welcome" });
      if (member.params.room === "trap") throw new Error("joined of trap");
    },
    mayStay: (member) => member.person.level >= 10,
    signalled(member, event, payload) {
      signals.push(`${member.key}: ${event} ${JSON.stringify(payload)}`);
      if (event === "kick") member.close();
      if (event === "trip") throw new Error("signal of trip");
    },
    left(member, why) {
      life.push(`${member.key} left ${member.params.room}`);
      ends.push(`${member.key} ${why}`);
      if (member.state === "loud") member.broadcastFrom("said", { text: "gone" });
    },
    events: {
      echo: { schema: anything, handle: (_member, payload) => ok(payload) },
      bare: { schema: anything, handle: () => ok() },
      custom: { schema: anything, handle: () => ({ kind: "reply", status: "busy", response: [1] }) },
      refused: { schema: anything, handle: () => fail("not_participant") },
      quiet: { schema: anything, handle: () => undefined },
      raise: {
        schema: anything,
        handle() {
          throw new Error("handler of raise");
        },
      },
      raise_later: {
        schema: anything,
        async handle() {
          await gate;
          throw new Error("handler of raise_later");
        },
      },
      wait: {
        schema: anything,
        async handle(_member, payload) {
          await gate;
          return ok(payload);
        },
      },
      stop: { schema: anything, handle: () => stop() },
      stop_with_reply: { schema: anything, handle: () => stop({ reply: ok({ bye: 1 }) }) },
      stop_crash: { schema: anything, handle: () => stop({ isCrash: true }) },
      close: {
        schema: anything,
        handle(member) {
          member.close();
          return ok({ late: true });
        },
      },
      be_loud: {
        schema: anything,
        handle(member) {
          member.state = "loud";
        },
      },
      bad_schema: {
        schema: anything.check(
          z.refine(() => {
            throw new Error("schema of bad_schema");
          }),
        ),
        handle: () => ok(),
      },
      strict: { schema: text, invalid: "invalid_offer_format", handle: () => ok() },
      tell: { schema: text, handle: (member, said) => member.push("said", said) },
      say: {
        schema: text,
        handle(member, said) {
          member.broadcast("said", said);
          return ok();
        },
      },
      say_from: { schema: text, handle: (member, said) => member.broadcastFrom("said", said) },
      say_to: {
        schema: z.object({ to: z.string(), text: z.string() }),
        handle: (member, { to, text: said }) => member.sendTo(to, "said", { text: said }),
      },
      appear: {
        schema: z.looseObject({}),
        handle(member, meta) {
          member.track(meta);
          return ok();
        },
      },
      vanish: { schema: anything, handle: (member) => member.untrack() },
      who: { schema: anything, handle: (member) => member.pushPresenceState() },
      blob_reply: { schema: bytes, handle: (_member, payload) => ok(payload) },
      blob_push: {
        schema: anything,
        handle: (member) => member.push("blob", Uint8Array.from([9, 8])),
      },
      blob_say: {
        schema: anything,
        handle: (member) => member.broadcast("blob", Uint8Array.from([7])),
      },
      blob_to: {
        schema: z.object({ to: z.string() }),
        handle: (member, { to }) => member.sendTo(to, "blob", Uint8Array.from([6])),
      },
    },
  });

  const open = (processLink: ProcessLink | undefined, identities?: Identities) =>
    createSockets({
      channels: [room],
      connect: ({ token }) => (token ? toPerson(token) : undefined),
      isOriginAllowed: () => true,
      ...(identities && { identities }),
      rules: { presenceWindowMs: 0, ...rules },
      log: {
        error: (details) => void crashes.push(String((details as { err?: unknown }).err)),
        warn: (_details, message) => void crashes.push(message),
      },
      link: processLink,
    });
  const links = isKeptAway ? openTestLinks() : { link, awayLink: undefined };
  const sockets = open(links.link, people);
  if (links.awayLink) open(links.awayLink);

  return {
    sockets,
    people,
    crashes,
    life,
    ends,
    signals,
    openGate() {
      openGate();
      close();
    },
    async connect(name, query = {}) {
      if (isKeptAway) await settle(); // the two processes know each other
      return createSocketPair(sockets, { query, authToken: name, turns: isKeptAway ? AWAY_TURNS : 1 });
    },
  };
}

/** npm's clients at a room. */
export function pairClients({ sockets }: RulesRoom): PairedClients {
  return createPairedClients(sockets, isKeptAway ? AWAY_TURNS : 1);
}
