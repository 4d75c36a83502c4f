import * as z from "zod/mini";
import { createSafeStorage, type KeyStorage } from "#providers/browser-storage.ts";

const tabStorage = createSafeStorage(() => globalThis.sessionStorage);
const browserStorage = createSafeStorage();
const DRAFT_KEY = "registration-draft";
const TICKET_KEY = "registration-ticket";

/** As long as the server keeps a registration whose address is not proven. */
const TICKET_LIFETIME_MS = 24 * 60 * 60 * 1000;
const TICKET_BYTES = 32;

const draftSchema = z.object({ username: z.string(), email: z.string() });
const ticketSchema = z.object({ ticket: z.string(), keptAtMs: z.number() });

function read<T>(storage: KeyStorage, key: string, schema: { parse(value: unknown): T }): T | undefined {
  try {
    return schema.parse(JSON.parse(storage.getItem(key) ?? "null"));
  } catch {
    // Nothing, or something else, stands under this key.
    return undefined;
  }
}

/** What was typed into the registration's open fields, while this tab lives: for a reload, the other language, the way back to edit. */
export const readDraft = () => read(tabStorage, DRAFT_KEY, draftSchema);

export function storeDraft({ username, email }: z.infer<typeof draftSchema>): void {
  tabStorage.setItem(DRAFT_KEY, JSON.stringify({ username, email }));
}

/** The ticket of this browser's last registration, in all its tabs. */
export function readTicket(): string | undefined {
  const stored = read(browserStorage, TICKET_KEY, ticketSchema);
  return stored && Date.now() - stored.keptAtMs < TICKET_LIFETIME_MS ? stored.ticket : undefined;
}

export function storeTicket(ticket: string): void {
  browserStorage.setItem(TICKET_KEY, JSON.stringify({ ticket, keptAtMs: Date.now() }));
}

/** A secret that shows which browser asked. */
export function createTicket(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(TICKET_BYTES));
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replace("=", "");
}

/** For a registration that is about to be sent: kept before, so that one whose answer is lost can still be taken back. */
export function takeTicket(): string {
  const ticket = readTicket() ?? createTicket();
  storeTicket(ticket);
  return ticket;
}

const INVITATION_KEY = "invitation";

/** The invitation that the address of this page names, or the one of this tab's earlier page: the way back to edit has none. */
export function takeInvitation(): string | undefined {
  const given = new URLSearchParams(location.search).get(INVITATION_KEY);
  if (given) tabStorage.setItem(INVITATION_KEY, given);
  return given ?? tabStorage.getItem(INVITATION_KEY) ?? undefined;
}

/** The address is verified: nothing of it is needed any more. */
export function forgetRegistration(): void {
  tabStorage.removeItem(INVITATION_KEY);
  tabStorage.removeItem(DRAFT_KEY);
  browserStorage.removeItem(TICKET_KEY);
}

const momentSchema = z.object({ email: z.string(), resendAtMs: z.number() });

export type CodePurpose = "verify" | "reset" | "change";
const toMomentKey = (purpose: CodePurpose) => `code-moment-${purpose}`;

/** From when on another code may be asked for; a reload doesn't shorten the wait. @returns milliseconds since 1970, 0: at once. */
export function readResendMoment(purpose: CodePurpose, email: string): number {
  try {
    const stored = momentSchema.parse(JSON.parse(tabStorage.getItem(toMomentKey(purpose)) ?? "null"));
    return stored.email === email.toLowerCase() ? stored.resendAtMs : 0;
  } catch {
    // No code was asked for in this tab.
    return 0;
  }
}

export function storeResendMoment(purpose: CodePurpose, email: string, resendAtMs: number): void {
  tabStorage.setItem(toMomentKey(purpose), JSON.stringify({ email: email.toLowerCase(), resendAtMs }));
}
