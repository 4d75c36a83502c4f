import type { FastifyRequest } from "fastify";
import type { Caller } from "../models/reader.ts";
import { requireActor } from "./bearer.ts";
import { getApiLanguage } from "./request.ts";

/** The signed-in person of a guarded route. */
export function toCaller(request: FastifyRequest): Caller {
  return { actor: requireActor(request), lang: getApiLanguage(request) };
}
