import type { SignedIn } from "../base/actor.ts";
import type { RoomRow } from "./rooms/room-store.ts";

/** What a moderator did to somebody; the write is committed. */
export type Measure = "muted" | "unmuted" | "removed" | "banned";

/** The rooms as they are now: who sits in them. Rows and rules of rooms are in the database. */
export interface LiveRooms {
  /** People in the room, and those who have reserved a seat. By the room's public id. */
  countSeats(roomId: string): number;
  /**
   * Asked again it is kept no longer.
   * @returns until when the seat is kept. @throws AppError room_full, too_many_requests where they let too many run out.
   */
  reserve(room: RoomRow, person: SignedIn): Promise<Date>;
  /** Frees the person's seat, and ends their channel. Nothing where they have none, or another one than is named. */
  leave(roomId: string, userId: number, participantId?: string): void;
  /** What somebody says of their own microphone. */
  setMuted(roomId: string, userId: number, isMuted: boolean): void;
  /** After a room was written or deleted: members and lists are told. Any number of times. */
  roomChanged(roomId: number): Promise<void>;
  /** After a moderator's measure: it holds at once. */
  measured(roomId: string, userId: number, measure: Measure): void;
  /** After the person has blocked somebody, or no longer does. */
  blocksChanged(userId: number): Promise<void>;
}
