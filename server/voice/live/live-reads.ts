import { describePeople } from "#server/accounts/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { listApart } from "../people/block-store.ts";
import { listRestrictions, type RoomRestriction } from "../people/people-store.ts";
import { type Entry, findEntry, findRoomById, type RoomRow } from "../rooms/room-store.ts";
import type { SeatPerson } from "./seats.ts";

/** What rooms in memory read of the database. Rooms are named by their public ids, but for rows that have changed. */
export interface LiveReads {
  findEntry(roomId: string, userId: number): Promise<Entry | undefined>;
  findRoomById(id: number): Promise<RoomRow | undefined>;
  listRestrictions(roomIds: readonly string[]): Promise<readonly RoomRestriction[]>;
  /** Those of whom one has blocked the other, with the person in either place. */
  listApart(userId: number): Promise<readonly number[]>;
  /** Who is suspended, unproven or gone is left out. */
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
