import type { FastifyRequest } from "fastify";
import type { Language } from "#contract/languages.ts";
import type { Actor } from "#server/models/actor.ts";
import type { Reader } from "#server/models/reader.ts";
import { requireActor } from "./bearer.ts";
import { getApiLanguage } from "./request-language.ts";

/** Who asks, in which language the answer reads, and whether they still wait for it. */
export interface Caller {
  actor: Actor;
  lang: Language;
  /** Aborted when the client has gone: what still runs for it is cancelled. */
  signal?: AbortSignal;
}

/** The signed-in person of a guarded route. */
export function toCaller(request: FastifyRequest): Caller {
  return { actor: requireActor(request), lang: getApiLanguage(request) };
}

export function toReader({ actor, lang }: Pick<Caller, "actor" | "lang">): Reader {
  return { lang, level: actor.level, userId: actor.userId };
}
