import { toRoomTopic } from "#contract/voice/room-channel.ts";
import type { SignedIn } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { Homes, ProcessLink } from "#server/socket/away/homes.ts";
import type { LiveRooms } from "../deps.ts";
import type { RoomRow } from "../rooms/room-store.ts";
import type { LobbySignals } from "./lobby.ts";

/** The other processes of the site. Each keeps some rooms, as the socket keeps their topics. */
export interface VoiceProcesses {
  link: ProcessLink;
  homes: Homes;
}

/** A room that a process keeps, and how many have a seat in it. */
interface Counted {
  row: RoomRow;
  count: number;
}

type Entered = LobbySignals["room_entered"];

interface AwayDeps {
  processes: VoiceProcesses;
  /** The rooms of this process. */
  here: LiveRooms;
  listHere(): readonly Counted[];
  /** How many sit in a room elsewhere has changed. */
  counted(row: RoomRow): void;
  /** Somebody has come into a room that another process keeps; tells its creator, where they are connected here. */
  entered(notice: Entered, creatorId: number): void;
  /** Gives up the rooms that aren't kept here any more: their people join again where they are. */
  giveUp(isKept: (roomId: string) => boolean): readonly RoomRow[];
  /** The others aren't reached any more, or are again. */
  reachChanged(): void;
}

/** Rooms of all processes, for the calls: each goes to the process that keeps the room. */
export interface AwayRooms extends LiveRooms {
  /** Who sits in a room that this process keeps has changed. */
  publishCount(row: RoomRow): void;
  publishEntered(notice: Entered, creatorId: number): void;
}

const COUNTS = "voice.counts";
const ENTERED = "voice.entered";
const BLOCKS = "voice.blocks";
const CALL = "voice.call";
const RESERVE = "voice.reserve";

/** What the process that keeps a room is told, and answers nothing to. */
type Call =
  | { name: "leave"; args: Parameters<LiveRooms["leave"]> }
  | { name: "setMuted"; args: Parameters<LiveRooms["setMuted"]> }
  | { name: "measured"; args: Parameters<LiveRooms["measured"]> };

type Reserved = { until: string } | { code: AppError["code"]; retryAfterS: number | undefined };

const RETRY_AFTER_S = 1;

export function openAwayRooms(deps: AwayDeps): AwayRooms {
  const { here } = deps;
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
      if ((known.get(one.row.public_id)?.count ?? 0) === one.count) continue;
      if (one.count > 0) known.set(one.row.public_id, one);
      else known.delete(one.row.public_id);
      deps.counted(one.row);
    }
  }

  const publish = (counted: readonly Counted[]) => link.sendToAll(COUNTS, counted);
  const publishCount = (row: RoomRow) => {
    const own = deps.listHere().find((counted) => counted.row.id === row.id);
    publish([own ?? { row, count: 0 }]);
  };

  function run(call: Call): void {
    if (call.name === "leave") here.leave(...call.args);
    else if (call.name === "setMuted") here.setMuted(...call.args);
    else here.measured(...call.args);
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
  link.answer(RESERVE, (body) => {
    const { row, person } = body as { row: RoomRow; person: SignedIn };
    return reserveHere(row, person);
  });
  link.onGone((address) => {
    greeted.delete(address);
    const known = counts.get(address);
    counts.delete(address);
    for (const { row } of known?.values() ?? []) deps.counted(row);
  });
  let wasIn = link.isIn;
  link.onChange(() => {
    for (const row of deps.giveUp(isHere)) publish([{ row, count: 0 }]);
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
    measured: (...args) => tell(args[0], { name: "measured", args }),
    roomChanged: here.roomChanged,
    // What the call answers holds: it waits for all who are there.
    async blocksChanged(userId) {
      const others = link.list().filter((address) => address !== link.self);
      const told = others.map((address) => link.ask(address, BLOCKS, userId));
      await Promise.all([here.blocksChanged(userId), Promise.allSettled(told)]);
    },
  };
}
