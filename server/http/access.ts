import type { FastifyInstance, onRequestAsyncHookHandler, RouteOptions } from "fastify";
import { isGuard } from "./bearer.ts";
import { DATA_CSP } from "./pages/policies.ts";

/** What anybody may send where a route says nothing else: the longest form that strangers fill in has 5 kB. */
const STRANGER_BODY_MAX_BYTES = 64 * 1024;

type Hooks = RouteOptions["onRequest" | "preValidation" | "preHandler"];
const toList = (hooks: Hooks) => (hooks === undefined ? [] : [hooks].flat()) as onRequestAsyncHookHandler[];

/** Whoever may not come in is told so before anything that they sent is read; what anybody may send is small. */
function guardFirst(route: RouteOptions): void {
  const early = toList(route.onRequest);
  const guards = [...toList(route.preValidation), ...toList(route.preHandler)].filter(isGuard);
  const withoutGuards = (hooks: Hooks) => toList(hooks).filter((hook) => !isGuard(hook));
  if (guards.length > 0) {
    route.onRequest = [...early, ...guards];
    route.preValidation = withoutGuards(route.preValidation);
    route.preHandler = withoutGuards(route.preHandler);
  } else if (!early.some(isGuard)) {
    route.bodyLimit ??= STRANGER_BODY_MAX_BYTES;
  }
}

/**
 * What holds for every route, whichever subject it belongs to: guards before bodies, small bodies of strangers, a policy for each
 * answer, and no answer to somebody who is signed in stays in a cache, unless the route says otherwise.
 */
export function installAccess(app: FastifyInstance): void {
  app.addHook("onRoute", guardFirst);
  app.addHook("onRequest", async (request, reply) => {
    reply.header("Content-Security-Policy", DATA_CSP);
    if (request.headers.authorization !== undefined) reply.header("Cache-Control", "no-store");
  });
}
