import type { Client } from "./account.ts";
import { toStorableText } from "./storable-text.ts";

const USER_AGENT_CHARS = 300;

/** What a session keeps of where it was opened or renewed. */
export type KeptClient = Pick<Client, "ipAddress" | "userAgent">;

export function toKeptClient({ ipAddress, userAgent }: Client): KeptClient {
  return { ipAddress, userAgent: userAgent === null ? null : toStorableText(userAgent, USER_AGENT_CHARS) };
}
