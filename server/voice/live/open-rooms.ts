import type { RoomErrorCode } from "#contract/voice/room-channel.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import type { RoomEngine } from "../engine/engine.ts";
import { pickLater, type RoomRow } from "../rooms/room-store.ts";
import type { Timers } from "../timing.ts";
import { LiveRoom, type Wire } from "./live-room.ts";
import type { LobbyNews } from "./lobby.ts";
import type { Seat, SeatStore } from "./seats.ts";

/** How a seat is ended by others. */
export type SeatEnding = Exclude<RoomErrorCode, "replaced" | "muted">;

const ENDINGS: Readonly<Record<SeatEnding, string>> = {
  removed: "A moderator has removed you from the room.",
  banned: "You may no longer enter this room.",
  room_closed: "The room was closed.",
};

/** Somebody's seat, and the room it is in. */
export interface Sitter {
  room: LiveRoom;
  seat: Seat;
}

interface OpenRoomsDeps {
  seats: SeatStore;
  timers: Timers;
  wire: Wire;
  engine: RoomEngine | undefined;
  isPartial(): boolean;
  news: Pick<LobbyNews, "learn" | "countChanged">;
  toAnswer(row: RoomRow): VoiceRoom;
}

/** The rooms of this process that somebody is in, and who sits in them. */
export class OpenRooms {
  readonly #deps: OpenRoomsDeps;
  readonly #rooms = new Map<string, LiveRoom>();

  constructor(deps: OpenRoomsDeps) {
    this.#deps = deps;
  }

  list(): LiveRoom[] {
    return [...this.#rooms.values()];
  }

  /** A row was read. @returns it, or a later one that is known already. */
  learn(row: RoomRow): RoomRow {
    const room = this.#rooms.get(row.public_id);
    const latest = this.#deps.news.learn(room ? pickLater(room.row, row) : row);
    if (room) room.row = latest;
    return latest;
  }

  /** The room as it is now, made where nobody was in it. */
  open(read: RoomRow): LiveRoom {
    const row = this.learn(read);
    const known = this.#rooms.get(row.public_id);
    if (known) return known;
    const { news, ...deps } = this.#deps;
    const room = new LiveRoom({
      ...{ ...deps, row },
      onFreed: (freed) => {
        if (deps.seats.count(freed.id) === 0) this.#drop(freed);
        news.countChanged(freed.row);
      },
    });
    this.#rooms.set(row.public_id, room);
    return room;
  }

  /** One of the same name may have been opened since. */
  #drop(room: LiveRoom): void {
    if (this.#rooms.get(room.id) === room) this.#rooms.delete(room.id);
    room.stop();
  }

  /** Without a word: whoever is in it joins again, where another process keeps it. */
  giveUp(room: LiveRoom): void {
    for (const seat of this.#deps.seats.list(room.id)) {
      room.forget(seat);
      this.#deps.seats.free(seat);
      seat.isOnRoster = false;
      seat.memberId = undefined;
    }
    this.#drop(room);
  }

  find(roomId: string, userId: number): Sitter | undefined {
    const [room, seat] = [this.#rooms.get(roomId), this.#deps.seats.find(roomId, userId)];
    return room && seat && { room, seat };
  }

  /** Of these people, or of everybody. */
  listSitters(userIds?: ReadonlySet<number>): Sitter[] {
    return this.list().flatMap((room) =>
      this.#deps.seats
        .list(room.id)
        .filter((seat) => !userIds || userIds.has(seat.person.userId))
        .map((seat) => ({ room, seat })),
    );
  }

  /** A person who left while something was read may be back on another seat. */
  isThere({ room, seat }: Sitter): boolean {
    return this.#deps.seats.find(room.id, seat.person.userId) === seat;
  }

  /** For them the room is over. */
  endSeat({ room, seat }: Sitter, code: SeatEnding): void {
    room.signal("ended", { code, message: ENDINGS[code] }, seat.person.userId);
    room.free(seat);
  }

  endRoom(room: LiveRoom): void {
    for (const seat of this.#deps.seats.list(room.id)) this.endSeat({ room, seat }, "room_closed");
  }

  /** As a moderator has it. */
  silence({ room, seat }: Sitter, isSilenced: boolean): void {
    if (seat.state.isSilenced === isSilenced) return;
    seat.state.isSilenced = isSilenced;
    room.stateChanged(seat);
    room.seatChanged(seat);
    if (isSilenced) room.signal("muted", {}, seat.person.userId);
  }

  stop(): void {
    for (const room of this.#rooms.values()) room.stop();
  }
}
