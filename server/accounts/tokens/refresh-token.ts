import { createHash, createHmac, hkdfSync, randomBytes, timingSafeEqual } from "node:crypto";
import type { SigningKeys } from "./keys.ts";

const PART_BYTES = 24;
const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\.([\w-]{64})$/;

/** A refresh token that this server made. `hash` is what the database keeps of it. */
export interface PresentedToken {
  text: string;
  sessionId: string;
  hash: string;
}

/**
 * Refresh tokens: `<session id>.<secret><mark>`, the last two 24 bytes each.
 * - The secret is random at sign-in. Each later one is computed from the token before it with a server key, so that
 *   everybody who presents the same token in the grace period gets the same successor, and only hashes are stored.
 * - The mark is a MAC. It tells a spent token (somebody copied it: the session ends) apart from an invented one (nothing
 *   happens), and an invented one costs no query.
 */
export interface RefreshTokens {
  /** The first token of a session. */
  issue(sessionId: string): PresentedToken;
  /** What may follow a token: the first is to be used; the others are what older signing keys would have made. */
  buildSuccessors(token: PresentedToken): readonly [string, ...string[]];
  /** Undefined when this server didn't make it. */
  parse(text: string): PresentedToken | undefined;
}

/** What the database keeps of a token. The tokens are long and random: a plain hash suffices. */
export function hashRefreshToken(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}

function createMaker(signingSecret: Buffer) {
  const key = Buffer.from(hkdfSync("sha256", signingSecret, "", "foyer refresh token", 32));
  const mac = (purpose: string, text: string) =>
    createHmac("sha256", key).update(`${purpose}.${text}`).digest().subarray(0, PART_BYTES);
  const mark = (sessionId: string, secret: Buffer) =>
    mac("mark", `${sessionId}.${secret.toString("base64url")}`);
  const build = (sessionId: string, secret: Buffer) =>
    `${sessionId}.${Buffer.concat([secret, mark(sessionId, secret)]).toString("base64url")}`;
  return {
    build,
    isOwn: (sessionId: string, bytes: Buffer) =>
      timingSafeEqual(mark(sessionId, bytes.subarray(0, PART_BYTES)), bytes.subarray(PART_BYTES)),
    buildNext: (token: PresentedToken) => build(token.sessionId, mac("next", token.text)),
  };
}

export function createRefreshTokens(keys: SigningKeys): RefreshTokens {
  const signing = createMaker(keys[0].secret);
  const older = keys.slice(1).map((key) => createMaker(key.secret));
  return {
    issue(sessionId) {
      const text = signing.build(sessionId, randomBytes(PART_BYTES));
      return { text, sessionId, hash: hashRefreshToken(text) };
    },
    buildSuccessors: (token) => [signing.buildNext(token), ...older.map((maker) => maker.buildNext(token))],
    parse(text) {
      const [, sessionId, encoded] = TOKEN.exec(text) ?? [];
      if (!sessionId || !encoded) return undefined;
      const bytes = Buffer.from(encoded, "base64url");
      if (![signing, ...older].some((maker) => maker.isOwn(sessionId, bytes))) return undefined;
      return { text, sessionId, hash: hashRefreshToken(text) };
    },
  };
}
