import type * as z from "zod/mini";
import { hasAdminAccess } from "#contract/accounts/accounts.ts";
import type { blocksAnswer } from "#contract/voice/people.ts";
import { VOICE_LIMITS } from "#contract/voice/rooms.ts";
import { type DescribedPerson, describePeople } from "../../accounts/service.ts";
import { recordAudit } from "../../audit/service.ts";
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import { withRetriedTransaction } from "../../db/transaction.ts";
import type { RecordWriter } from "../../models/record-writer.ts";
import { getContentTypeId, REPORT_MODEL, type VoiceDeps } from "../deps.ts";
import { countOne, getWaitS, holdRoom } from "../rooms/room-store.ts";
import {
  deleteBlock,
  deleteReport,
  insertBlock,
  insertReport,
  listBlocks,
  type ReportState,
  updateReport,
} from "./moderation-store.ts";

/** @throws AppError object_not_found. */
export async function requirePerson(db: Queryable, userId: number): Promise<DescribedPerson> {
  const person = (await describePeople(db, [userId])).get(userId);
  if (!person) throw new AppError("object_not_found");
  return person;
}

/**
 * What people on a list of numbers are called. Numbers can be counted through: of those who don't want to be found the list
 * gives no name, but to admins.
 */
export async function nameListed(
  db: Queryable,
  userIds: readonly number[],
  viewerLevel: number,
): Promise<(userId: number) => string> {
  const people = await describePeople(db, userIds);
  return (userId) => {
    const person = people.get(userId);
    const isShown = person && (person.is_searchable || hasAdminAccess(viewerLevel));
    return isShown ? person.display_name : `#${userId}`;
  };
}

type BlockDeps = Pick<VoiceDeps, "pool" | "live">;

/** Whom the person has blocked, newest first. */
export async function listOwnBlocks(
  { pool }: BlockDeps,
  person: SignedIn,
): Promise<z.output<typeof blocksAnswer>> {
  const blocks = await listBlocks(pool, person.userId);
  const ids = blocks.map(({ blocked_id }) => blocked_id);
  const toName = await nameListed(pool, ids, person.level);
  return { blocks: ids.map((id) => ({ user_id: String(id), display_name: toName(id) })) };
}

/** From then on neither hears the other. The log says nothing of it: it is the person's own affair. */
export async function blockPerson(
  { pool, live }: BlockDeps,
  person: SignedIn,
  userId: number,
): Promise<void> {
  if (userId === person.userId)
    throw new AppError("validation_failed", { fields: [{ field: "user_id", code: "own_account" }] });
  await requirePerson(pool, userId);
  if (await insertBlock(pool, person.userId, userId)) await live.blocksChanged(person.userId);
}

/** Whoever was not blocked isn't now. */
export async function unblockPerson(
  { pool, live }: BlockDeps,
  person: SignedIn,
  userId: number,
): Promise<void> {
  if (await deleteBlock(pool, person.userId, userId)) await live.blocksChanged(person.userId);
}

/** What the reporter says, and the line of the room's text that it is about. */
export interface Report {
  userId: number;
  reason: string;
  message: string;
}

/**
 * Reports somebody to the admins. The log keeps numbers alone: the words go with the report.
 * @throws AppError room_not_found, object_not_found, validation_failed, too_many_reports.
 */
export async function reportPerson(
  deps: VoiceDeps,
  slug: string,
  reporter: SignedIn,
  { userId, reason, message }: Report,
): Promise<void> {
  if (userId === reporter.userId)
    throw new AppError("validation_failed", { fields: [{ field: "user_id", code: "own_account" }] });
  const [now, max] = [deps.now(), VOICE_LIMITS.reportsPerDay];
  await withRetriedTransaction(deps.pool, async (db) => {
    const room = await holdRoom(db, slug);
    if (!room) throw new AppError("room_not_found");
    await requirePerson(db, userId);
    if (!(await countOne(db, { userId: reporter.userId, what: "report", max, now })))
      throw new AppError("too_many_reports", { vars: { max }, retryAfterS: getWaitS(now) });
    const whom = { reporterId: reporter.userId, reportedId: userId };
    const id = await insertReport(db, { roomId: room.id, roomName: room.name, ...whom, reason, message });
    await recordAudit(db, reporter, {
      action: "CREATE",
      contentTypeId: getContentTypeId(deps.registry, REPORT_MODEL),
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
  deps.feed.announce(REPORT_MODEL);
}

/** Writes reports in the console: what staff say of one. The words of a report that goes are not kept by the log. */
export function createReportWriter(): RecordWriter {
  return {
    prepare: async () => undefined,
    async create() {
      throw new AppError("permission_denied");
    },
    async update(db, id, given) {
      const state = given.has("state") ? ((given.get("state") ?? "open") as ReportState) : undefined; // a choice was checked
      const note = given.has("note") ? ((given.get("note") ?? null) as string | null) : undefined; // so was a text
      await updateReport(db, id, { state, note });
      return undefined;
    },
    async delete(db, id) {
      const roomName = await deleteReport(db, id);
      if (roomName === undefined) throw new AppError("object_not_found");
      return { pseudonym: roomName };
    },
    committed: () => undefined,
  };
}
