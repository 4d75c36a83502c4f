import * as z from "zod/mini";
import { createSafeStorage } from "#providers/safe-storage.ts";

const storage = createSafeStorage(() => globalThis.sessionStorage);
const DRAFT_KEY = "registration-draft";
const TICKET_KEY = "registration-ticket";

const draftSchema = z.object({ username: z.string(), email: z.string() });
const ticketSchema = z.object({ email: z.string(), ticket: z.string() });

function read<T>(key: string, schema: { parse(value: unknown): T }): T | undefined {
  try {
    return schema.parse(JSON.parse(storage.getItem(key) ?? "null"));
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}

/** What was typed into the registration's open fields, while this tab lives: for a reload, the other language, the way back to edit. */
export const readDraft = () => read(DRAFT_KEY, draftSchema);

export function keepDraft({ username, email }: z.infer<typeof draftSchema>): void {
  storage.setItem(DRAFT_KEY, JSON.stringify({ username, email }));
}

/** The ticket of this tab's last registration; with `email` only if it was for that address. */
export function readTicket(email?: string): string | undefined {
  const kept = read(TICKET_KEY, ticketSchema);
  const isFor = email === undefined || kept?.email.toLowerCase() === email.toLowerCase();
  return isFor ? kept?.ticket : undefined;
}

export function keepTicket(email: string, ticket: string): void {
  storage.setItem(TICKET_KEY, JSON.stringify({ email, ticket }));
}

/** The address is verified: nothing of it is needed any more. */
export function forgetRegistration(): void {
  storage.removeItem(DRAFT_KEY);
  storage.removeItem(TICKET_KEY);
}
