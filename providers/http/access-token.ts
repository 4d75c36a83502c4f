import * as z from "zod/mini";
import { LIMITS } from "#contract/limits.ts";

const claims = z.object({ exp: z.number(), iat: z.optional(z.number()) });
const subject = z.object({ sub: z.string() });

/** An access token and the moment from which a new one is fetched, by this machine's clock. */
export interface AccessToken {
  token: string;
  renewAtMs: number;
}

/** What a token says, as the schema reads it; undefined where it says something else, or is no JWT. */
function readPayload<Schema extends z.ZodMiniType>(token: string, schema: Schema) {
  try {
    const [, payload = ""] = token.split(".");
    return schema.parse(JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/"))));
  } catch {
    // Not a JWT, which another back end may well send: it is used until the server refuses it.
    return undefined;
  }
}

/** The person whom a token names (its `sub`); undefined where it names nobody that can be read. */
export function readSubject(token: string): string | undefined {
  return readPayload(token, subject)?.sub;
}

/**
 * Notes when a fresh token must be renewed: when fewer than 300 s remain (specification A section 9), or at half the life
 * of a token that lives shorter than that. The life counts from now, so a wrong clock does no harm.
 */
export function toAccessToken(token: string, nowMs: number): AccessToken {
  const read = readPayload(token, claims);
  if (!read) return { token, renewAtMs: Number.POSITIVE_INFINITY };
  const lifeS = read.exp - (read.iat ?? nowMs / 1000);
  const thresholdS = lifeS > LIMITS.tokenRefreshThresholdS ? LIMITS.tokenRefreshThresholdS : lifeS / 2;
  return { token, renewAtMs: nowMs + (lifeS - thresholdS) * 1000 };
}
