import { createHash, randomBytes } from "node:crypto";

const TICKET_BYTES = 32;

/** Shorter ones could be guessed. */
const TICKET_MIN_CHARS = 32;

/**
 * What a browser keeps of its registration: its own ticket where that is long enough, else a new one. The database keeps its
 * hash; long and random: a plain hash suffices.
 */
export function toTicket(given: string | undefined): { ticket: string; ticketHash: string } {
  const isGood = given !== undefined && given.length >= TICKET_MIN_CHARS;
  const ticket = isGood ? given : randomBytes(TICKET_BYTES).toString("base64url");
  return { ticket, ticketHash: hashTicket(ticket) };
}

export function hashTicket(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}
