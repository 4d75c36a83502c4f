import { createHmac, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { VOICE_LIMITS } from "#contract/voice-rooms.ts";

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

export function createTickets(secret: Buffer): Tickets {
  const sign = (text: string) => createHmac("sha256", secret).update(text).digest();
  return {
    issue(room, user, now) {
      const until = now.getTime() + VOICE_LIMITS.ticketS * 1000;
      const text = Buffer.from(JSON.stringify({ room, user, until })).toString("base64url");
      const token = `${text}.${sign(text).toString("base64url")}`;
      return { token, expires_at: new Date(until).toISOString() };
    },
    isGood(ticket, room, user, now) {
      const [text = "", signature = ""] = ticket.split(".");
      const [given, right] = [Buffer.from(signature, "base64url"), sign(text)];
      if (given.length !== right.length || !timingSafeEqual(given, right)) return false;
      const read = parseClaims(text);
      return read !== undefined && read.room === room && read.user === user && read.until > now.getTime();
    },
  };
}
