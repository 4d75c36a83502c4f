import { createHmac, timingSafeEqual } from "node:crypto";
import type pg from "pg";
import * as z from "zod/mini";
import { type roomTicket, type seatAnswer, VOICE_LIMITS } from "#contract/voice/rooms.ts";
import { findNotified } from "../../accounts/service.ts";
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import type { MailService } from "../../mail/service.ts";
import type { VoiceDeps } from "../deps.ts";
import { findEntry, type RoomRow, takeCreatorNotified } from "./room-store.ts";
import { requireRoom, toAnswer } from "./rooms.ts";

/** Room and person, until when: milliseconds since 1970. */
const claims = z.object({ room: z.string(), user: z.number(), until: z.number() });

/** Tickets to rooms: signed, so that nothing has to be remembered. They open nothing but the join of one room by one person. */
export interface Tickets {
  issue(roomId: string, userId: number, now: Date): { token: string; expires_at: string };
  isGood(ticket: string, roomId: string, userId: number, now: Date): boolean;
}

function parseClaims(text: string): z.infer<typeof claims> | undefined {
  try {
    return claims.parse(JSON.parse(Buffer.from(text, "base64url").toString()));
  } catch {
    return undefined;
  }
}

/** The first secret signs, all are good. */
export function createTickets(secrets: readonly [Buffer, ...Buffer[]]): Tickets {
  const sign = (text: string, secret: Buffer) => createHmac("sha256", secret).update(text).digest();
  return {
    issue(room, user, now) {
      const until = now.getTime() + VOICE_LIMITS.ticketS * 1000;
      const text = Buffer.from(JSON.stringify({ room, user, until })).toString("base64url");
      const token = `${text}.${sign(text, secrets[0]).toString("base64url")}`;
      return { token, expires_at: new Date(until).toISOString() };
    },
    isGood(ticket, room, user, now) {
      const [text = "", signature = ""] = ticket.split(".");
      const given = Buffer.from(signature, "base64url");
      const rights = secrets.map((secret) => sign(text, secret));
      if (!rights.some((right) => given.length === right.length && timingSafeEqual(given, right)))
        return false;
      const read = parseClaims(text);
      return read !== undefined && read.room === room && read.user === user && read.until > now.getTime();
    },
  };
}

/** A room that the person may enter now. @throws AppError room_not_found, banned_from_room, room_closed. */
async function requireOpenRoom(deps: VoiceDeps, slug: string, person: SignedIn): Promise<RoomRow> {
  const { public_id } = await requireRoom(deps, slug);
  const entry = await findEntry(deps.pool, public_id, person.userId);
  if (!entry) throw new AppError("room_not_found");
  if (entry.isBanned) throw new AppError("banned_from_room");
  if (!entry.room.is_active) throw new AppError("room_closed");
  return entry.room;
}

/** Keeps a seat for a moment; the channel takes it. @throws AppError as above, room_full, too_many_requests. */
export async function reserveSeat(
  deps: VoiceDeps,
  slug: string,
  person: SignedIn,
): Promise<z.output<typeof seatAnswer>> {
  const room = await requireOpenRoom(deps, slug, person);
  const until = await deps.live.reserve(room, person);
  return { room: toAnswer(deps, room), expires_at: until.toISOString() };
}

/** Whoever sits nowhere has left already. @throws AppError room_not_found. */
export async function leaveSeat(
  deps: VoiceDeps,
  slug: string,
  person: SignedIn,
  participantId: string | undefined,
): Promise<void> {
  const { public_id } = await requireRoom(deps, slug);
  deps.live.leave(public_id, person.userId, participantId);
}

/** What a browser needs to enter, until the sooner end of both. @throws AppError as `requireOpenRoom`. */
export async function issueRoomTicket(
  deps: VoiceDeps,
  slug: string,
  person: SignedIn,
): Promise<z.output<typeof roomTicket>> {
  const room = await requireOpenRoom(deps, slug, person);
  const now = deps.now();
  const ticket = deps.issueTicket(room, person, now);
  const ice = deps.listIceServers(person, now);
  const ends = [ticket.expires_at, ...(ice.expires_at === null ? [] : [ice.expires_at])];
  const expiresAt = new Date(Math.min(...ends.map((end) => Date.parse(end))));
  return {
    room_name: room.name,
    token: ticket.token,
    ice_servers: ice.ice_servers,
    expires_at: expiresAt.toISOString(),
  };
}

/** Between two mails about one room. Nobody is served by one that comes later than that. */
const INTERVAL_MS = 60 * 60 * 1000;

interface NotifyDeps {
  pool: pg.Pool;
  mail: Pick<MailService, "queue">;
  now: () => Date;
  log: { error(details: object, message: string): void };
}

type EnteredRoom = Pick<RoomRow, "id" | "slug" | "name" | "created_by_id">;

async function queueMail(
  db: Queryable,
  deps: NotifyDeps,
  room: EnteredRoom,
  newcomerName: string,
): Promise<void> {
  if (room.created_by_id === null) return;
  const creator = await findNotified(db, room.created_by_id);
  if (creator?.preferences.room_entered !== "mail") return;
  const now = deps.now();
  const since = new Date(now.getTime() - INTERVAL_MS);
  if (!(await takeCreatorNotified(db, room.id, { now, since }))) return;
  const { userId, username, recipient, language } = creator;
  await deps.mail.queue(db, {
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
 * Writes a mail to the creator of a room that somebody else has come into, where they asked for it. Entering must not wait or
 * fail for it: a failure goes to the log, and to nobody else.
 */
export function createNotifyCreator(deps: NotifyDeps) {
  return async function notifyCreator(room: EnteredRoom, newcomerName: string): Promise<void> {
    try {
      await withTransaction(deps.pool, (db) => queueMail(db, deps, room, newcomerName));
    } catch (error) {
      deps.log.error({ err: error, room: room.id }, "the creator could not be notified of a newcomer");
    }
  };
}
