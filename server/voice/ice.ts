import { createHmac } from "node:crypto";
import type { IceServer } from "#contract/voice-rooms.ts";

/** Long enough for a long talk; a browser asks again before it restarts a connection. */
const CREDENTIAL_LIFETIME_S = 2 * 60 * 60;

/** Some of the STUN and TURN that the site has (`ICE_URLS`, `TURN_SECRET`, `TURN`). */
export interface IceSettings {
  /** `stun:`, `turn:` and `turns:` addresses. */
  urls: readonly string[];
  /** Shared with the relay, which checks what is made of it. */
  turnSecret: string | undefined;
}

export interface IceAnswer {
  ice_servers: IceServer[];
  /** ISO moment; null where nothing expires. */
  expires_at: string | null;
}

const isRelay = (url: string) => /^turns?:/.test(url);

/** Name and password of a relay for one person, good until `expiresS` (seconds since 1970): TURN's REST scheme, as coturn has it. */
function buildTurnCredential(
  secret: string,
  userId: number,
  expiresS: number,
): { username: string; credential: string } {
  const username = `${expiresS}:${userId}`;
  return { username, credential: createHmac("sha1", secret).update(username).digest("base64") };
}

/** What a browser puts into its connections. A relay without a secret is left out: it would refuse everybody. */
export function listIceServers(settings: readonly IceSettings[], userId: number, now: Date): IceAnswer {
  const plain = settings.flatMap(({ urls }) => urls.filter((url) => !isRelay(url)));
  const expiresS = Math.floor(now.getTime() / 1000) + CREDENTIAL_LIFETIME_S;
  const relays = settings.flatMap(({ urls, turnSecret }): IceServer[] => {
    const own = urls.filter(isRelay);
    if (turnSecret === undefined || own.length === 0) return [];
    return [{ urls: own, ...buildTurnCredential(turnSecret, userId, expiresS) }];
  });
  return {
    ice_servers: [...(plain.length > 0 ? [{ urls: plain }] : []), ...relays],
    expires_at: relays.length > 0 ? new Date(expiresS * 1000).toISOString() : null,
  };
}
