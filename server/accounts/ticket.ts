import { createHash, randomBytes } from "node:crypto";

const TICKET_BYTES = 32;

/** What a browser keeps of its registration; the database keeps its hash. Long and random: a plain hash suffices. */
export function createTicket(): { ticket: string; ticketHash: string } {
  const ticket = randomBytes(TICKET_BYTES).toString("base64url");
  return { ticket, ticketHash: hashTicket(ticket) };
}

export function hashTicket(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}
