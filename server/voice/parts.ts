import type pg from "pg";
import type { IceServer } from "#contract/voice-rooms.ts";
import { AppError } from "#server/base/errors.ts";
import type { ContentService } from "#server/content/service.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import type { SignedIn } from "../base/actor.ts";
import type { LiveRooms } from "./deps.ts";
import type { RoomRow } from "./rooms/room-store.ts";

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
export interface VoiceParts {
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
