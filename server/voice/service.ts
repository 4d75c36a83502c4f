import type pg from "pg";
import type { Queryable } from "../db/pool.ts";
import type { RecordWriter } from "../models/record-writer.ts";
import { REPORT_MODEL, RESTRICTION_MODEL, ROOM_MODEL } from "./deps.ts";
import { createReportWriter } from "./moderation/blocks-and-reports.ts";
import { createRestrictionWriter } from "./moderation/moderation.ts";
import {
  deleteReportsBefore,
  listBlocks,
  listReportsBy,
  listRestrictionsOf,
} from "./moderation/moderation-store.ts";
import { deleteOldCounts, listRoomsOf } from "./rooms/room-store.ts";
import { createRoomWriter } from "./rooms/room-writer.ts";

/**
 * The writers of the models of voice rooms, by their keys: the engine of content asks them, and no other rules hold at any
 * endpoint.
 */
export function createVoiceWriters(deps: {
  /** The site mixes sound, so that rooms may be larger than a mesh. */
  hasMixer: boolean;
  now: () => Date;
}): ReadonlyMap<string, RecordWriter> {
  return new Map([
    [ROOM_MODEL, createRoomWriter(deps)],
    [RESTRICTION_MODEL, createRestrictionWriter()],
    [REPORT_MODEL, createReportWriter()],
  ]);
}

interface ExportedVoice {
  rooms: object[];
  restrictions: object[];
  blocks: object[];
  reports: object[];
}

/** What voice rooms keep of a person, for their export: not who moderated or reported them, nor what staff noted. */
export async function collectVoiceData(db: Queryable, userId: number): Promise<ExportedVoice> {
  const [rooms, restrictions, reports, blocks] = await Promise.all([
    listRoomsOf(db, userId),
    listRestrictionsOf(db, userId),
    listReportsBy(db, userId),
    listBlocks(db, userId),
  ]);
  return {
    rooms,
    restrictions,
    blocks: blocks.map(({ blocked_id, created_at }) => ({ user_id: blocked_id, created_at })),
    reports,
  };
}

const DAY_MS = 24 * 60 * 60 * 1000;
/** The console says so with the model. */
export const REPORTS_KEPT_DAYS = 180;

/** Removes old reports, and what was counted on days that are over. Called at start and daily. */
export async function cleanVoice(pool: pg.Pool, now: Date): Promise<void> {
  await deleteReportsBefore(pool, new Date(now.getTime() - REPORTS_KEPT_DAYS * DAY_MS));
  await deleteOldCounts(pool, now);
}
