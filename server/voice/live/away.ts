import { toRoomTopic } from "#contract/voice/room-channel.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Homes, ProcessLink } from "#server/socket/away/homes.ts";
import type { LiveRooms } from "../deps.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import type { LobbySignals } from "./lobby.ts";
import type { Returns } from "./returns.ts";

/** The other processes of the site. Each keeps some rooms, as the socket keeps their topics. */
export interface VoiceProcesses {
  link: ProcessLink;
  homes: Homes;
}

/** A room that a process keeps, and how many have a seat in it. */
export interface Counted {
  row: RoomRow;
  count: number;
  /** Their numbers. Undefined: of a process of the version before. */
  members?: readonly number[];
  /** The process gives the room up: `members` come back where it is kept then. */
  isMoved?: true;
}

type Entered = LobbySignals["room_entered"];

interface AwayDeps {
  processes: VoiceProcesses;
  /** The rooms of this process. */
  here: LiveRooms;
  listHere(): readonly Counted[];
  toCounted(row: RoomRow): Counted;
  returns: Returns;
  /** A moderator's measure, of this process's rooms. @returns whether the person has a seat there, or had */
  measureHere(...args: Parameters<LiveRooms["measured"]>): boolean;
  /** How many sit in a room elsewhere has changed. */
  counted(row: RoomRow): void;
  /** Somebody has come into a room that another process keeps; tells its creator, where they are connected here. */
  entered(notice: Entered, creatorId: number): void;
  /** Gives up the rooms that aren't kept here any more: their people join again where they are. */
  giveUp(isKept: (roomId: string) => boolean): readonly Counted[];
  /** The others aren't reached any more, or are again. */
  reachChanged(): void;
}

/** Rooms of all processes, for the calls: each goes to the process that keeps the room. */
export interface AwayRooms extends LiveRooms {
  /** Who sits in a room that this process keeps has changed. */
  publishCount(row: RoomRow): void;
  publishEntered(notice: Entered, creatorId: number): void;
  /** Who has a seat in the room, where others keep it. */
  listElsewhere(roomId: string): number[];
}

const COUNTS = "voice.counts";
const ENTERED = "voice.entered";
const BLOCKS = "voice.blocks";
const CALL = "voice.call";
const RESERVE = "voice.reserve";
/** Answered by whoever has read what was sent before. */
const HEARD = "voice.heard";

/** What the process that keeps a room is told, and answers nothing to. */
type Call =
  | { name: "leave"; args: Parameters<LiveRooms["leave"]> }
  | { name: "setMuted"; args: Parameters<LiveRooms["setMuted"]> }
  | { name: "measured"; args: Parameters<LiveRooms["measured"]> };

type Reserved = { until: string } | { code: AppError["code"]; retryAfterS: number | undefined };

const RETRY_AFTER_S = 1;

export function openAwayRooms(deps: AwayDeps): AwayRooms {
  const { here, returns } = deps;
  const { link, homes } = deps.processes;
  /** By process and room. */
  const counts = new Map<string, Map<string, Counted>>();
  /** Those that were told the rooms here. */
  const greeted = new Set<string>();

  const findHome = (roomId: string) => homes.find(toRoomTopic(roomId));
  const isHere = (roomId: string) => homes.isHere(toRoomTopic(roomId));

  function learn(from: string, counted: readonly Counted[]): void {
    const known = counts.get(from) ?? new Map<string, Counted>();
    counts.set(from, known);
    for (const one of counted) {
      const { row, count, members = [], isMoved } = one;
      const before = known.get(row.public_id)?.count ?? 0;
      if (isMoved) returns.expect(row.public_id, members);
      if (count > 0 && !isMoved) known.set(row.public_id, one);
      else known.delete(row.public_id);
      if (before !== (isMoved ? 0 : count)) deps.counted(row);
    }
  }

  const publish = (counted: readonly Counted[]) => link.sendToAll(COUNTS, counted);
  const publishCount = (row: RoomRow) => publish([deps.toCounted(row)]);

  function run(call: Call): void {
    if (call.name === "leave") here.leave(...call.args);
    else if (call.name === "setMuted") here.setMuted(...call.args);
    else measure(...call.args);
  }

  /** Somebody who is removed while their room moves is turned out by whoever keeps it next. */
  function measure(...args: Parameters<LiveRooms["measured"]>): boolean {
    const isDone = deps.measureHere(...args);
    const [roomId, userId, what] = args;
    if (!isDone && what === "removed") returns.turnOut(roomId, userId);
    return isDone;
  }

  /** @throws AppError unavailable where one that may keep the room wasn't reached */
  async function removeEverywhere(...args: Parameters<LiveRooms["measured"]>): Promise<void> {
    const others = link.list().filter((address) => address !== link.self);
    const wasAlone = !link.isIn;
    link.sendToAll(CALL, { name: "measured", args });
    const isDone = measure(...args);
    const answers = await Promise.allSettled(others.map((address) => link.ask(address, HEARD, null)));
    // One that is gone keeps nothing any more.
    const left = link.list();
    const isMissed = answers.some(
      ({ status }, at) => status === "rejected" && left.includes(others[at] ?? ""),
    );
    const isAlone = wasAlone || !link.isIn;
    if (isMissed || (isAlone && !isDone)) throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S });
  }

  function tell(roomId: string, call: Call): void {
    if (isHere(roomId)) run(call);
    else link.send(findHome(roomId), CALL, call);
  }

  async function reserveHere(row: RoomRow, person: SignedIn): Promise<Reserved> {
    // Whoever asks doesn't know yet who keeps it now.
    if (!isHere(row.public_id)) return { code: "unavailable", retryAfterS: RETRY_AFTER_S };
    try {
      return { until: (await here.reserve(row, person)).toISOString() };
    } catch (error) {
      if (error instanceof AppError) return { code: error.code, retryAfterS: error.retryAfterS };
      throw error;
    }
  }

  // All of these come from our own kind, in a process of the same version or the one before.
  link.on(COUNTS, (body, from) => learn(from, body as Counted[]));
  link.on(ENTERED, (body) => {
    const { notice, creatorId } = body as { notice: Entered; creatorId: number };
    deps.entered(notice, creatorId);
  });
  link.on(CALL, (body) => run(body as Call));
  link.answer(BLOCKS, (body) => here.blocksChanged(body as number));
  link.answer(HEARD, async () => true);
  link.answer(RESERVE, (body) => {
    const { row, person } = body as { row: RoomRow; person: SignedIn };
    return reserveHere(row, person);
  });
  link.onGone((address) => {
    greeted.delete(address);
    const known = counts.get(address);
    counts.delete(address);
    for (const { row, members = [] } of known?.values() ?? []) {
      returns.expect(row.public_id, members);
      deps.counted(row);
    }
  });
  let wasIn = link.isIn;
  link.onChange(() => {
    for (const { row, members = [] } of deps.giveUp(isHere)) {
      returns.expect(row.public_id, members);
      publish([{ row, count: 0, members, isMoved: true }]);
    }
    // Whoever has just come knows none of them.
    const own = deps.listHere();
    for (const address of link.list()) {
      if (address === link.self || greeted.has(address)) continue;
      greeted.add(address);
      if (own.length > 0) link.send(address, COUNTS, own);
    }
    if (link.isIn !== wasIn) deps.reachChanged();
    wasIn = link.isIn;
  });

  return {
    publishCount,
    publishEntered: (notice, creatorId) => link.sendToAll(ENTERED, { notice, creatorId }),
    countSeats(roomId) {
      let sum = here.countSeats(roomId);
      for (const known of counts.values()) sum += known.get(roomId)?.count ?? 0;
      return sum;
    },
    async reserve(row, person) {
      if (isHere(row.public_id)) return here.reserve(row, person);
      const home = findHome(row.public_id);
      const answer = await link.ask(home, RESERVE, { row, person }).catch(() => undefined);
      // The process that kept the room is gone, or says nothing: another one keeps it in a moment.
      if (answer === undefined) throw new AppError("unavailable", { retryAfterS: RETRY_AFTER_S });
      const reserved = answer as Reserved; // see `reserveHere`
      if ("until" in reserved) return new Date(reserved.until);
      const { code, retryAfterS } = reserved;
      throw new AppError(code, retryAfterS === undefined ? {} : { retryAfterS });
    },
    leave: (...args) => tell(args[0], { name: "leave", args }),
    setMuted: (...args) => tell(args[0], { name: "setMuted", args }),
    async measured(...args) {
      if (args[2] === "removed") await removeEverywhere(...args);
      else tell(args[0], { name: "measured", args });
    },
    listElsewhere: (roomId) => [...counts.values()].flatMap((known) => known.get(roomId)?.members ?? []),
    roomChanged: here.roomChanged,
    // What the call answers holds: it waits for all who are there.
    async blocksChanged(userId) {
      const others = link.list().filter((address) => address !== link.self);
      const told = others.map((address) => link.ask(address, BLOCKS, userId));
      await Promise.all([here.blocksChanged(userId), Promise.allSettled(told)]);
    },
  };
}
