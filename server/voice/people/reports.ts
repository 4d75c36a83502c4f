import { VOICE_LIMITS } from "#contract/voice-rooms.ts";
import { recordAudit } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import { countOne, getWaitS } from "../daily-count.ts";
import { getContentTypeId, REPORT_MODEL, type VoiceParts } from "../parts.ts";
import { holdRoom } from "../rooms/room-store.ts";
import { requirePerson } from "./people.ts";
import { insertReport } from "./report-store.ts";

/** What the reporter says, and the line of the room's text that it is about. */
export interface Report {
  userId: number;
  reason: string;
  message: string;
}

/**
 * Tells the admins of somebody. The log keeps numbers alone: the words go with the report.
 * @throws AppError room_not_found, object_not_found, validation_failed, too_many_reports.
 */
export async function reportPerson(
  parts: VoiceParts,
  slug: string,
  reporter: SignedIn,
  { userId, reason, message }: Report,
): Promise<void> {
  if (userId === reporter.userId)
    throw new AppError("validation_failed", { fields: [{ field: "user_id", code: "own_account" }] });
  const [now, max] = [parts.now(), VOICE_LIMITS.reportsPerDay];
  await withRetriedTransaction(parts.pool, async (db) => {
    const room = await holdRoom(db, slug);
    if (!room) throw new AppError("room_not_found");
    await requirePerson(db, userId);
    if (!(await countOne(db, { userId: reporter.userId, what: "report", max, now })))
      throw new AppError("too_many_reports", { vars: { max }, retryAfterS: getWaitS(now) });
    const whom = { reporterId: reporter.userId, reportedId: userId };
    const id = await insertReport(db, { roomId: room.id, roomName: room.name, ...whom, reason, message });
    await recordAudit(db, reporter, {
      action: "CREATE",
      contentTypeId: getContentTypeId(parts.registry, REPORT_MODEL),
      objectId: id,
      objectRepr: room.name,
      message: "Created",
      changes: {
        reported: { after: { id: userId, repr: `#${userId}` } },
        room: { after: { id: room.id, repr: room.name } },
      },
    });
    await notifyChange(db, REPORT_MODEL, toRowChange("created", [id]));
  });
  parts.feed.announce(REPORT_MODEL);
}
