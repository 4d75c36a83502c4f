import type { Queryable } from "#server/db/pool.ts";
import { listBlocks } from "./people/block-store.ts";

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
