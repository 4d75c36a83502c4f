import { ACCOUNT } from "#server/accounts/test-account.ts";
import { type AccessTokens, createAccessTokens } from "#server/accounts/tokens/access-token.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { Identities } from "#server/socket/identities.ts";

/** Signed-in people with the product's own tokens; a map stands where the product asks its cache of sessions. */
export interface BenchPeople extends Identities {
  /** Of the people 1 to `count`. */
  tokens: string[];
  /** Undefined when the token, its session or its account is not good. */
  authenticate(token: string): SignedIn | undefined;
}

const LEVEL = 1;

function signIn(accessTokens: AccessTokens, id: number): { token: string; person: SignedIn } {
  const username = `person_${id}`;
  const sessionId = `session-${id}`;
  const account = { ...ACCOUNT, id, username, access_level: LEVEL };
  return {
    token: accessTokens.sign(account, sessionId),
    person: { userId: id, username, level: LEVEL, sessionId, ipAddress: null, requestId: null },
  };
}

/** `secret`, of 32 bytes: tokens of one process are good at another one with the same. */
export function createBenchPeople(count: number, secret: Buffer): BenchPeople {
  const accessTokens = createAccessTokens([{ kid: "bench", secret }], Date.now);
  const signedIn = Array.from({ length: count }, (_, index) => signIn(accessTokens, index + 1));
  const bySession = new Map(signedIn.map(({ person }) => [person.sessionId, person]));
  return {
    tokens: signedIn.map(({ token }) => token),
    authenticate(token) {
      const claims = accessTokens.verify(token);
      return claims && bySession.get(claims.sid);
    },
    subscribe: () => undefined, // nobody signs out
    find: async (sessionIds) =>
      new Map(
        sessionIds.flatMap((sessionId) => {
          const person = bySession.get(sessionId);
          return person ? [[sessionId, person]] : [];
        }),
      ),
  };
}
