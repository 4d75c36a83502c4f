import { randomBytes } from "node:crypto";
import type { Admission, Sockets } from "./sockets.ts";
import { LongPollSession } from "./transports/longpoll-session.ts";

const TOKEN_BYTES = 32;
/** Tells our tokens from access tokens, which may travel as `token` as well. */
const TOKEN = /^lp\.[\w-]{43}$/;

/** The long-poll sessions of one door, by the secret that each client was given. */
export interface LongPollSessions {
  find(token: string | undefined): LongPollSession | undefined;
  /** @returns the token of a new session. */
  open(admission: Admission): string;
}

/** Whether it names a session, living or not. */
export function isSessionToken(token: string): boolean {
  return TOKEN.test(token);
}

export function createLongPollSessions(sockets: Sockets): LongPollSessions {
  const sessions = new Map<string, LongPollSession>();
  const { longPollWindowMs, maxBufferedBytes } = sockets.rules;
  return {
    find: (token) => (token === undefined ? undefined : sessions.get(token)),
    open(admission) {
      const token = `lp.${randomBytes(TOKEN_BYTES).toString("base64url")}`;
      const session = new LongPollSession({
        serializer: admission.serializer,
        windowMs: longPollWindowMs,
        maxBufferedBytes,
        onEnd: () => sessions.delete(token),
      });
      sessions.set(token, session);
      session.connection = sockets.open(admission, session);
      return token;
    },
  };
}
