import type pg from "pg";
import type { Queryable } from "../db/pool.ts";
import type { RecordWriter } from "../models/record-writer.ts";
import { REPORT_MODEL, RESTRICTION_MODEL, ROOM_MODEL } from "./deps.ts";
import { createReportWriter } from "./moderation/blocks-and-reports.ts";
import { createRestrictionWriter } from "./moderation/moderation.ts";
import { deleteReportsBefore, listBlocks } from "./moderation/moderation-store.ts";
import { deleteOldCounts } from "./rooms/room-store.ts";
import { createRoomWriter } from "./rooms/room-writer.ts";

/**
 * Who writes the models of voice rooms, by their keys: the engine of content asks them, and no other rules hold at any
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

async function select(db: Queryable, sql: string, userId: number): Promise<object[]> {
  const { rows } = await db.query<object>(sql, [userId]);
  return rows;
}

/** What voice rooms keep of a person, for their export: not who moderated or reported them, nor what staff noted. */
export async function collectVoiceData(db: Queryable, userId: number): Promise<ExportedVoice> {
  const [rooms, restrictions, reports, blocks] = await Promise.all([
    select(
      db,
      `SELECT public_id AS id, slug, name, description, max_participants, is_public, auto_mute_on_join, is_active,
         engine, created_at, updated_at FROM voice_room WHERE created_by_id = $1 ORDER BY created_at DESC, id DESC`,
      userId,
    ),
    select(
      db,
      `SELECT r.name AS room, v.kind, v.created_at FROM voice_restriction v JOIN voice_room r ON r.id = v.room_id
       WHERE v.user_id = $1 ORDER BY v.created_at DESC, v.id DESC`,
      userId,
    ),
    select(
      db,
      `SELECT room_name AS room, reported_id AS about_user_id, reason, message, state, created_at FROM voice_report
       WHERE reporter_id = $1 ORDER BY created_at DESC, id DESC`,
      userId,
    ),
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
const REPORTS_KEPT_DAYS = 180;

/** Removes old reports, and what was counted on days that are over. Called at start and daily. */
export async function cleanVoice(pool: pg.Pool, now: Date): Promise<void> {
  await deleteReportsBefore(pool, new Date(now.getTime() - REPORTS_KEPT_DAYS * DAY_MS));
  await deleteOldCounts(pool, now);
}
