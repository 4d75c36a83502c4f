import type pg from "pg";
import { findNotified } from "#server/accounts/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { MailService } from "#server/mail/service.ts";
import { type RoomRow, takeCreatorTold } from "./room-store.ts";

/** Between two mails about one room. Nobody is served by one that comes later than that. */
const INTERVAL_MS = 60 * 60 * 1000;

interface TellParts {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  now: () => Date;
  log: { error(details: object, message: string): void };
}

type Told = Pick<RoomRow, "id" | "slug" | "name" | "created_by_id">;

async function queueMail(db: Queryable, parts: TellParts, room: Told, newcomerName: string): Promise<void> {
  if (room.created_by_id === null) return;
  const creator = await findNotified(db, room.created_by_id);
  if (creator?.preferences.room_entered !== "mail") return;
  const now = parts.now();
  const since = new Date(now.getTime() - INTERVAL_MS);
  if (!(await takeCreatorTold(db, room.id, { now, since }))) return;
  const { userId, username, recipient, language } = creator;
  await parts.mail.queue(db, {
    kind: "room_entered",
    recipient,
    language,
    userId,
    username,
    roomName: room.name,
    roomSlug: room.slug,
    newcomerName,
    expiresAt: new Date(now.getTime() + INTERVAL_MS).toISOString(),
  });
}

/**
 * Writes a mail to who made a room that somebody else has come into, where they asked for it. Whoever enters must not wait or
 * fail for it: the log hears of a failure, and nobody else.
 */
export function createTellCreator(parts: TellParts) {
  return async function tellCreator(room: Told, newcomerName: string): Promise<void> {
    try {
      await withTransaction(parts.pool, (db) => queueMail(db, parts, room, newcomerName));
    } catch (error) {
      parts.log.error({ err: error, room: room.id }, "the creator of a room could not be told of a newcomer");
    }
  };
}
