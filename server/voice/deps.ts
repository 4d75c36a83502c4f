import type pg from "pg";
import type { IceServer } from "#contract/voice/rooms.ts";
import type { SignedIn } from "../base/actor.ts";
import { AppError } from "../base/errors.ts";
import type { ContentService } from "../content/service.ts";
import type { ChangeFeed } from "../db/change-feed.ts";
import type { Registry } from "../models/registry/registry.ts";
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
  /** After a room was written or deleted: notifies members and lists. Any number of times. */
  roomChanged(roomId: number): Promise<void>;
  /**
   * After a moderator's measure: it holds at once. @throws AppError unavailable where somebody is removed and the process that keeps the room
   * can't be told: other measures are rows, which every process reads.
   */
  measured(roomId: string, userId: number, measure: Measure): Promise<void>;
  /** After the person has blocked somebody, or no longer does. */
  blocksChanged(userId: number): Promise<void>;
}

/** A paper that says who may enter which room. `expires_at`: ISO moment. */
export type IssueTicket = (
  room: Pick<RoomRow, "public_id">,
  person: Pick<SignedIn, "userId">,
  now: Date,
) => { token: string; expires_at: string };

/** STUN and TURN for one person. `expires_at`: from then on a relay refuses them; null: nothing ends. */
export type ListIceServers = (
  person: Pick<SignedIn, "userId">,
  now: Date,
) => { ice_servers: IceServer[]; expires_at: string | null };

/** What the calls of voice rooms work with. */
export interface VoiceDeps {
  pool: pg.Pool;
  registry: Registry;
  content: Pick<ContentService, "create" | "update" | "delete">;
  feed: Pick<ChangeFeed, "announce">;
  live: LiveRooms;
  /** The site mixes sound, so that rooms may be larger than a mesh. */
  hasMixer: boolean;
  issueTicket: IssueTicket;
  listIceServers: ListIceServers;
  now: () => Date;
}

export const ROOM_MODEL = "voice.room";
export const RESTRICTION_MODEL = "voice.restriction";
export const REPORT_MODEL = "voice.report";

/** The number that the log calls a model by. */
export function getContentTypeId(registry: Registry, model: string): number {
  const known = registry.byKey.get(model);
  if (!known) throw new AppError("model_not_found");
  return known.contentTypeId;
}
