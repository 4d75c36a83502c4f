import type { FastifyReply, FastifyRequest } from "fastify";
import type { Caller, SignedIn } from "../base/actor.ts";
import { AppError } from "../base/errors.ts";
import { getApiLanguage } from "./request.ts";

/** Turns an access token into a person; undefined when the token, its session or its account is no longer good. */
export type Authenticate = (accessToken: string) => SignedIn | undefined | Promise<SignedIn | undefined>;

declare module "fastify" {
  interface FastifyRequest {
    /** Set by `createRequireLevel`'s hook; read it with `requireActor`. */
    actor: SignedIn | null;
  }
}

/** The name of a scheme has no case (RFC 9110, 11.1). */
const BEARER = /^Bearer ([\w.~+/-]+=*)$/i;

/** What OpenAPI says of a route that `createRequireLevel`'s hook guards. */
export const SIGNED_IN = [{ bearer: [] }];

/** The request's person. @throws AppError not_authenticated where no guard ran. */
export function requireActor(request: FastifyRequest): SignedIn {
  if (!request.actor) throw new AppError("not_authenticated");
  return request.actor;
}

async function readPerson(authenticate: Authenticate, request: FastifyRequest): Promise<SignedIn> {
  const token = BEARER.exec(request.headers.authorization ?? "")?.[1];
  if (!token) throw new AppError("not_authenticated");
  const person = await authenticate(token);
  if (!person) throw new AppError("session_expired");
  return person;
}

function setActor(request: FastifyRequest, person: SignedIn): void {
  request.actor = { ...person, ipAddress: request.ip, requestId: request.id };
}

/** Makes the guard of routes: a hook that lets a person pass who is signed in with at least this level. */
export function createRequireLevel(authenticate: Authenticate) {
  return (level: number) => {
    async function guard(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
      const person = await readPerson(authenticate, request);
      // Also of who is refused: the log says who it was.
      setActor(request, person);
      if (person.level < level)
        throw new AppError(person.owesFactor ? "second_factor_due" : "permission_denied");
    }
    return Object.assign(guard, { guardsLevel: level });
  };
}

/** Whether a hook is one of `createRequireLevel`'s. */
export const isGuard = (hook: object): boolean => "guardsLevel" in hook;

export type RequireLevel = ReturnType<typeof createRequireLevel>;

/** Makes a hook for calls that answer everybody, and the signed-in person more: a token that is sent must be good. */
export function createReadActor(authenticate: Authenticate) {
  return async function readActor(request: FastifyRequest): Promise<void> {
    if (request.headers.authorization !== undefined)
      setActor(request, await readPerson(authenticate, request));
  };
}

export type ReadActor = ReturnType<typeof createReadActor>;

/**
 * For endpoints of the voice API, which names the person beside the token (specification B section 7): another name than the
 * token's is refused. Runs after the guard. @throws AppError permission_denied.
 */
export async function requireOwnUserId(request: FastifyRequest, _reply: FastifyReply): Promise<void> {
  const named = request.headers["x-user-id"];
  if (named !== undefined && named !== String(requireActor(request).userId))
    throw new AppError("permission_denied");
}

/** The signed-in person of a guarded route. */
export function toCaller(request: FastifyRequest): Caller {
  return { actor: requireActor(request), lang: getApiLanguage(request) };
}
