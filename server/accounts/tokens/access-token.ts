import { createSigner, createVerifier } from "fast-jwt";
import { LRUCache } from "lru-cache";
import * as z from "zod/mini";
import { type Account, toDisplayName } from "../account.ts";
import type { SigningKey, SigningKeys } from "./keys.ts";

/** How long a token is good unless the owner set another time. */
export const ACCESS_TOKEN_MINUTES = 15;

const ISSUER = "foyer";
const AUDIENCE = "foyer-api";
/** Five times 400 bytes a thousand; a verification costs 22 µs, a hit 0.1 µs. */
const CACHED_TOKENS = 5000;

const accessClaims = z.object({
  /** User id as text. */
  sub: z.string().check(z.regex(/^\d{1,10}$/)),
  /** Session id. */
  sid: z.string(),
  username: z.string(),
  display_name: z.string(),
  access_level: z.number(),
  /** When the person last showed that it is them, in seconds since 1970 (OpenID Connect, 2). */
  auth_time: z.optional(z.number()),
  /** Seconds since 1970. */
  iat: z.number(),
  exp: z.number(),
});
export type AccessClaims = z.infer<typeof accessClaims>;

export interface AccessTokens {
  /** `confirmedAt`: when the person last showed that it is them, in milliseconds; now, unless it is said. */
  sign(account: Account, sessionId: string, confirmedAt?: number): string;
  /** Undefined when the token is not ours, changed, or expired. */
  verify(token: string): AccessClaims | undefined;
}

/** HS256: only this server verifies its tokens, and EdDSA costs ten times as much to verify (240 µs against 22 µs). */
function createTools(key: SigningKey) {
  const sign = createSigner<Record<string, unknown>>({ key: key.secret, algorithm: "HS256", kid: key.kid });
  const verify = createVerifier({
    key: key.secret,
    algorithms: ["HS256"],
    allowedIss: ISSUER,
    allowedAud: AUDIENCE,
    requiredClaims: ["iss", "aud", "sub", "sid", "iat", "exp"],
    ignoreExpiration: true, // `verify` below checks it against the clock that is passed in
  });
  return { sign, verify, header: getHeader(sign({})) };
}

function getHeader(token: string): string {
  return token.slice(0, token.indexOf("."));
}

/**
 * Signs and verifies access tokens. A token's key is found by its whole first part, which is the same text in every token
 * of a key: no other algorithm, type or header passes, and nothing unverified is parsed.
 */
export function createAccessTokens(
  keys: SigningKeys,
  clock: () => number,
  lifetimeMinutes = ACCESS_TOKEN_MINUTES,
): AccessTokens {
  const [signing, ...others] = [createTools(keys[0]), ...keys.slice(1).map(createTools)] as const;
  const byHeader = new Map([signing, ...others].map((tools) => [tools.header, tools.verify]));
  // Only good tokens are kept, so that bad ones can't push them out.
  const known = new LRUCache<string, AccessClaims>({ max: CACHED_TOKENS });

  function read(token: string): AccessClaims | undefined {
    const verify = byHeader.get(getHeader(token));
    if (!verify) return undefined;
    let payload: unknown;
    try {
      payload = verify(token);
    } catch {
      return undefined; // changed, cut, or made by somebody else: the answer is 401 whatever the cause
    }
    const claims = accessClaims.safeParse(payload);
    if (!claims.success) return undefined;
    known.set(token, claims.data);
    return claims.data;
  }

  return {
    sign(account, sessionId, confirmedAt = clock()) {
      const iat = Math.floor(clock() / 1000);
      return signing.sign({
        iss: ISSUER,
        aud: AUDIENCE,
        sub: String(account.id),
        sid: sessionId,
        username: account.username,
        display_name: toDisplayName(account),
        access_level: account.access_level,
        auth_time: Math.floor(confirmedAt / 1000),
        iat,
        exp: iat + lifetimeMinutes * 60,
      });
    },
    verify(token) {
      const claims = known.get(token) ?? read(token);
      return claims && clock() < claims.exp * 1000 ? claims : undefined;
    },
  };
}
