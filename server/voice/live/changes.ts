import { describePeople } from "../../accounts/service.ts";
import type { ChangeFeed } from "../../db/change-feed.ts";
import type { Queryable } from "../../db/pool.ts";
import { listApart, listRestrictions, type RoomRestriction } from "../moderation/moderation-store.ts";
import { type Entry, findEntry, findRoomById, type RoomRow } from "../rooms/room-store.ts";
import type { LobbyNews } from "./lobby.ts";
import type { OpenRooms, SeatEnding, Sitter } from "./open-rooms.ts";
import type { SeatPerson } from "./seats.ts";

/** What rooms in memory read of the database. Rooms are named by their public ids, but for rows that have changed. */
export interface LiveReads {
  findEntry(roomId: string, userId: number): Promise<Entry | undefined>;
  findRoomById(id: number): Promise<RoomRow | undefined>;
  listRestrictions(roomIds: readonly string[]): Promise<readonly RoomRestriction[]>;
  /** Those of whom one has blocked the other, with the person in either place. */
  listApart(userId: number): Promise<readonly number[]>;
  /** People who are suspended, unproven or gone are left out. */
  describe(userIds: readonly number[]): Promise<ReadonlyMap<number, SeatPerson>>;
}

export function createLiveReads(db: Queryable): LiveReads {
  return {
    findEntry: (roomId, userId) => findEntry(db, roomId, userId),
    findRoomById: (id) => findRoomById(db, id),
    listRestrictions: (roomIds) => listRestrictions(db, roomIds),
    listApart: (userId) => listApart(db, userId),
    async describe(userIds) {
      const people = [...(await describePeople(db, userIds)).values()];
      return new Map(
        people.map(({ id, display_name, avatar, level }) => [
          id,
          { userId: id, displayName: display_name, avatar, level },
        ]),
      );
    },
  };
}

/** Runs work one behind the other, in the order in which it was asked for. What fails fails alone. */
export function createTurns(): <Result>(work: () => Promise<Result>) => Promise<Result> {
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    const done = last.then(work);
    last = done.catch(() => undefined);
    return done;
  };
}

export interface ChangesDeps {
  reads: LiveReads;
  rooms: OpenRooms;
  news: LobbyNews;
  log: { error(details: object, message: string): void };
}

/** What the open rooms make of changes in the database, whichever endpoint wrote. */
export class Changes {
  readonly #deps: ChangesDeps;
  /** What is read of people is applied in the order of the readings: an older one would undo what a newer one has found. */
  readonly #inTurn = createTurns();
  #count = 0;
  /** How often a moderator's measure was taken here. */
  #measures = 0;

  constructor(deps: ChangesDeps) {
    this.#deps = deps;
  }

  /** How often something was written that may end or silence a seat: a join that was on its way looks again. */
  get count(): number {
    return this.#count;
  }

  subscribe(feed: Pick<ChangeFeed, "subscribeRows" | "subscribe">): void {
    feed.subscribeRows((model, { ids, isMany }) => {
      if (model === "voice.room") {
        if (isMany) this.follow(this.#roomsChanged());
        else for (const id of ids) this.follow(this.roomChanged(id));
      } else if (model === "voice.restriction") this.follow(this.#restrictionsChanged());
      else if (model === "accounts.user") this.follow(this.#peopleChanged(isMany ? undefined : new Set(ids)));
    });
    feed.subscribe((model) => {
      // Notices may have been missed.
      if (model !== undefined) return;
      this.follow(this.#restrictionsChanged());
      this.follow(this.#peopleChanged(undefined));
      this.follow(this.#roomsChanged());
    });
  }

  /** What follows a notice has nobody to answer to. */
  follow(work: Promise<unknown>): void {
    work.catch((error: unknown) =>
      this.#deps.log.error({ err: error }, "voice rooms could not follow a change"),
    );
  }

  /** A moderator's measure holds from now on: what was read before it is read again. */
  measureTaken(): void {
    this.#count += 1;
    this.#measures += 1;
  }

  async roomChanged(id: number): Promise<void> {
    const { reads, rooms, news } = this.#deps;
    this.#count += 1;
    const read = await reads.findRoomById(id);
    const room = rooms.list().find((known) => known.row.id === id);
    if (!read) {
      if (room) rooms.endRoom(room);
      news.removed(id, room?.row);
      return;
    }
    const row = rooms.learn(read);
    if (room && !row.is_active) rooms.endRoom(room);
    const isNew = news.written(row);
    if (room && row.is_active && isNew) room.rowChanged();
  }

  /** Any rooms may have changed. */
  async #roomsChanged(): Promise<void> {
    const { rooms, news } = this.#deps;
    news.listChanged();
    const rows = [...rooms.list().map(({ row }) => row), ...news.listKnown()];
    await Promise.all([...new Set(rows.map(({ id }) => id))].map((id) => this.roomChanged(id)));
  }

  /** A measure doesn't wait for its turn: what was read before it, and comes behind it, is read again. */
  async #readBehindMeasures<Found>(read: () => Promise<Found>): Promise<Found> {
    for (;;) {
      const before = this.#measures;
      const found = await read();
      if (before === this.#measures) return found;
    }
  }

  async #restrictionsChanged(): Promise<void> {
    this.#count += 1;
    await this.#inTurn(() => this.#compareRestrictions());
  }

  /** Compares everybody who is in a room with the database: something other than this server may have written. */
  async #compareRestrictions(): Promise<void> {
    const { reads, rooms } = this.#deps;
    // Whoever comes in from now on was looked up in the database on entry.
    const sitters = rooms.listSitters();
    if (sitters.length === 0) return;
    const roomIds = [...new Set(sitters.map(({ room }) => room.id))];
    const found = await this.#readBehindMeasures(() => reads.listRestrictions(roomIds));
    for (const sitter of sitters.filter((one) => rooms.isThere(one))) {
      const { room, seat } = sitter;
      const own = found.filter(({ roomId, userId }) => roomId === room.id && userId === seat.person.userId);
      const isRestricted = (kind: RoomRestriction["kind"]) => own.some((one) => one.kind === kind);
      if (isRestricted("ban")) rooms.endSeat(sitter, "banned");
      else rooms.silence(sitter, isRestricted("mute"));
    }
  }

  async #peopleChanged(userIds: ReadonlySet<number> | undefined): Promise<void> {
    this.#count += 1;
    await this.#inTurn(() => this.#comparePeople(userIds));
  }

  /** Names and pictures as they are now; people who are suspended or gone lose their seat at once, and what they wrote. */
  async #comparePeople(userIds: ReadonlySet<number> | undefined): Promise<void> {
    const { reads, rooms } = this.#deps;
    const sitters = rooms.listSitters(userIds);
    // Whoever has left may have lines there.
    const authors = rooms.list().flatMap((room) => room.texts.listAuthors());
    const asked = new Set([
      ...sitters.map(({ seat }) => seat.person.userId),
      ...authors.filter((id) => !userIds || userIds.has(id)),
    ]);
    if (asked.size === 0) return;
    const people = await reads.describe([...asked]);
    for (const room of rooms.list())
      for (const id of room.texts.listAuthors())
        if (asked.has(id)) room.texts.nameAuthor(id, people.get(id)?.displayName);
    for (const { room, seat } of sitters.filter((one) => rooms.isThere(one))) {
      const { displayName, avatar, userId } = seat.person;
      const person = people.get(userId);
      if (!person) {
        room.signal("left", {}, userId);
        room.free(seat);
        continue;
      }
      seat.person = person;
      if (person.displayName !== displayName || person.avatar !== avatar) room.seatChanged(seat);
    }
  }

  async blocksChanged(userId: number): Promise<void> {
    this.#count += 1;
    await this.#inTurn(() => this.#compareBlocks(userId));
  }

  async #compareBlocks(userId: number): Promise<void> {
    const { reads, rooms } = this.#deps;
    if (rooms.list().length === 0) return;
    const apart: ReadonlySet<number> = new Set(await reads.listApart(userId));
    // In every room: the person may come into one in which the other sits already.
    for (const { seat } of rooms.listSitters()) {
      if (seat.person.userId === userId) {
        seat.apartFrom = apart;
        continue;
      }
      const rest = new Set(seat.apartFrom);
      if (apart.has(seat.person.userId)) rest.add(userId);
      else rest.delete(userId);
      seat.apartFrom = rest;
    }
    for (const { room } of rooms.listSitters(new Set([userId])))
      for (const seat of room.listRoster()) room.publishApart(seat);
  }

  /** Whether a seat still holds that was taken by what was read before. @returns how it was ended. */
  lookAgain(sitter: Sitter): Promise<SeatEnding | undefined> {
    return this.#inTurn(() => this.#compareSeat(sitter));
  }

  async #compareSeat(sitter: Sitter): Promise<SeatEnding | undefined> {
    const { reads, rooms } = this.#deps;
    const { room, seat } = sitter;
    const { userId } = seat.person;
    const entry = await this.#readBehindMeasures(() => reads.findEntry(room.id, userId));
    const row = entry && rooms.learn(entry.room);
    const ending = entry?.isBanned ? "banned" : row?.is_active ? undefined : "room_closed";
    if (!rooms.isThere(sitter)) return ending;
    if (ending) rooms.endSeat(sitter, ending);
    else if (entry) {
      rooms.silence(sitter, entry.isSilenced);
      seat.apartFrom = new Set([...entry.blocked, ...entry.blockedBy]);
      for (const other of room.listRoster()) room.publishApart(other);
      await this.#comparePeople(new Set([userId]));
    }
    return ending;
  }
}
