import { createHash, createHmac, randomUUID, timingSafeEqual } from "node:crypto";
import * as z from "zod/mini";
import { deriveSecrets, type SigningKeys } from "../tokens/keys.ts";

/** How long somebody may take between two calls. */
const TICKET_LIFETIME_MS = 10 * 60_000;

const content = z.object({
  id: z.string(),
  /**
   * - `second_factor`: the password was right, the factor is to come.
   * - `sign_in`: a passkey alone is to come, nobody knows whose.
   * - `add`: a new passkey of a signed-in person is to come.
   * - `confirm`: a signed-in person shows that it is still them.
   */
  purpose: z.enum(["second_factor", "sign_in", "add", "confirm"]),
  userId: z.nullable(z.number()),
  /** Of the password that was right: another one since makes the ticket worthless. */
  passwordMark: z.nullable(z.string()),
  /** Which WebAuthn's answer must hold; null where no passkey was asked for. */
  challenge: z.nullable(z.string()),
  area: z.enum(["site", "admin"]),
  /** Milliseconds since 1970. */
  expiresAt: z.number(),
});
export type Ticket = z.infer<typeof content>;

/** Texts that clients bring back, signed: nothing is kept of them until one has let somebody in. */
export interface Tickets {
  issue(given: Omit<Ticket, "id" | "expiresAt">): string;
  /** Undefined: it is not ours, for something else, changed, or over. */
  read(text: string, purpose: Ticket["purpose"]): Ticket | undefined;
}

/** Stands for a password in a ticket. */
export function toPasswordMark(passwordHash: string): string {
  return createHash("sha256").update(`ticket ${passwordHash}`).digest("base64url");
}

export function createTickets(keys: SigningKeys, clock: () => number): Tickets {
  const secrets = deriveSecrets(keys, "factor tickets");
  const sign = (secret: Buffer, text: string) => createHmac("sha256", secret).update(text).digest();
  return {
    issue(given) {
      const ticket: Ticket = { ...given, id: randomUUID(), expiresAt: clock() + TICKET_LIFETIME_MS };
      const text = Buffer.from(JSON.stringify(ticket)).toString("base64url");
      return `${text}.${sign(secrets[0], text).toString("base64url")}`;
    },
    read(text, purpose) {
      const [, body = "", mark = ""] = /^([\w-]+)\.([\w-]{43})$/.exec(text) ?? [];
      const given = Buffer.from(mark, "base64url");
      const isOurs = given.length > 0 && secrets.some((secret) => timingSafeEqual(sign(secret, body), given));
      if (!isOurs) return undefined;
      const ticket = content.parse(JSON.parse(Buffer.from(body, "base64url").toString("utf8")));
      return ticket.purpose === purpose && clock() < ticket.expiresAt ? ticket : undefined;
    },
  };
}
