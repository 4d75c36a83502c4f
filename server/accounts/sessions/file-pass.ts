import "@fastify/cookie";
import { createHmac, timingSafeEqual } from "node:crypto";
import type { FastifyReply, FastifyRequest } from "fastify";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { SignedIn } from "#server/base/actor.ts";
import type { Authenticate } from "#server/http/bearer.ts";
import type { AccessTokens } from "../tokens/access-token.ts";
import { deriveSecrets, type SigningKeys } from "../tokens/keys.ts";
import type { SessionAccounts } from "./session-accounts.ts";

/*
 * Pictures of the console are loaded by `<img>`, and PDFs by links, which send no token: who may open the console gets a cookie
 * that names their session and opens files, and the description of the API where that has a level (a page as well), and nothing else. It
 * goes out to their addresses alone, never from another site,
 * and is worth nothing once the session is over (docs/decisions/026).
 */

const COOKIE = "foyer_files";
/** Over HTTPS: no page without it can set one of this name. `__Host-` would need the path `/`. */
const SECURE_COOKIE = `__Secure-${COOKIE}`;
const PATHS = ["/files", "/pictures", "/api/docs"];
/** Renewed with each access token. */
export const FILE_COOKIE_LIFETIME_S = 12 * 60 * 60;
const VALUE = /^([0-9a-f-]{36})\.(\d{1,12})\.([\w-]{43})$/;

export interface FilePasses {
  issue(sessionId: string): string;
  /** The session; undefined when the pass is not ours, changed, or expired. */
  read(value: string): string | undefined;
}

export function createFilePasses(keys: SigningKeys, clock: () => number): FilePasses {
  const secrets = deriveSecrets(keys, "file passes");
  const mark = (secret: Buffer, text: string) => createHmac("sha256", secret).update(text).digest();
  return {
    issue(sessionId) {
      const text = `${sessionId}.${Math.floor(clock() / 1000) + FILE_COOKIE_LIFETIME_S}`;
      return `${text}.${mark(secrets[0], text).toString("base64url")}`;
    },
    read(value) {
      const [, sessionId, expires, encoded = ""] = VALUE.exec(value) ?? [];
      if (!sessionId || Number(expires) * 1000 <= clock()) return undefined;
      const given = Buffer.from(encoded, "base64url");
      const text = `${sessionId}.${expires}`;
      return secrets.some((secret) => timingSafeEqual(mark(secret, text), given)) ? sessionId : undefined;
    },
  };
}

function toCookie(reply: FastifyReply, publicUrl: string | undefined) {
  const secure = publicUrl?.startsWith("https://") ?? reply.request.protocol === "https";
  return {
    name: secure ? SECURE_COOKIE : COOKIE,
    options: { secure, httpOnly: true, sameSite: "strict" } as const,
  };
}

/** With the tokens of somebody who may open the console. */
export function setFilePass(
  reply: FastifyReply,
  { accessTokens, filePasses }: { accessTokens: AccessTokens; filePasses: FilePasses },
  accessToken: string,
  publicUrl: string | undefined,
): void {
  const claims = accessTokens.verify(accessToken);
  if (!claims || claims.access_level < ACCESS_LEVEL.admin) return;
  const value = filePasses.issue(claims.sid);
  const { name, options } = toCookie(reply, publicUrl);
  for (const path of PATHS)
    reply.setCookie(name, value, { ...options, path, maxAge: FILE_COOKIE_LIFETIME_S });
}

export function clearFilePass(reply: FastifyReply, publicUrl: string | undefined): void {
  const { name, options } = toCookie(reply, publicUrl);
  for (const path of PATHS) reply.clearCookie(name, { ...options, path });
}

/** Whose request for a file it is: by a token, as every call, or by the pass. */
export function createFindFileReader(
  authenticate: Authenticate,
  { filePasses, sessionAccounts }: { filePasses: FilePasses; sessionAccounts: SessionAccounts },
) {
  return async (request: FastifyRequest): Promise<SignedIn | undefined> => {
    const token = /^Bearer (\S+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (token !== undefined) return authenticate(token);
    const sessionId = filePasses.read(request.cookies[SECURE_COOKIE] ?? request.cookies[COOKIE] ?? "");
    return sessionId === undefined ? undefined : (await sessionAccounts.find(sessionId))?.person;
  };
}
