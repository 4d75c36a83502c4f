import type { Language } from "#contract/languages.ts";

/** Who a write is attributed to. The command line and the server itself have no user: "System". */
export interface Actor {
  userId: number | null;
  username: string | null;
  level: number;
  ipAddress: string | null;
  requestId: string | null;
  /** The bulk operation that the write is part of: its audit entries stand under the first of them. */
  batchId?: string;
}

export const SYSTEM_ACTOR: Actor = {
  userId: null,
  username: null,
  level: 999,
  ipAddress: null,
  requestId: null,
};

/** The signed-in person of a request. `sessionId` is the session that the access token names. */
export interface SignedIn extends Actor {
  userId: number;
  username: string;
  sessionId: string;
}

/** Who reads: decides which fields and rows there are, and in which language they read. `userId` null: the server itself. */
export interface Reader {
  lang: Language;
  level: number;
  userId: number | null;
  /** A public page reads: it shows what declarations say of the site (`site`), and not what `access` opens to a level. */
  isVisitor?: true;
}

export function toVisitor(lang: Language): Reader & { isVisitor: true } {
  return { lang, level: 0, userId: null, isVisitor: true };
}

/** Who asks, in which language the answer reads, and whether they still wait for it. */
export interface Caller {
  actor: Actor;
  lang: Language;
  /** Aborted when the client has gone: what still runs for it is cancelled. */
  signal?: AbortSignal;
}

export function toReader({ actor, lang }: Pick<Caller, "actor" | "lang">): Reader {
  return { lang, level: actor.level, userId: actor.userId };
}
