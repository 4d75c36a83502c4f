import type { Language } from "#contract/languages.ts";
import type { Actor } from "../base/actor.ts";

/** Who reads: decides which fields and rows there are, and in which language they read. `userId` null: the server itself. */
export interface Reader {
  lang: Language;
  level: number;
  userId: number | null;
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
