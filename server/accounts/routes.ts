import * as z from "zod/mini";
import {
  ACCESS_LEVEL,
  accountUser,
  loginAnswer,
  loginRequest,
  refreshAnswer,
  refreshRequest,
  verifyTokenAnswer,
  verifyTokenRequest,
} from "#contract/accounts/accounts.ts";
import { sessionsAnswer } from "#contract/accounts/own-account.ts";
import { createReadActor, type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { registerRegistrationRoutes } from "./claims/routes.ts";
import { type AccountDeps, type RouteDeps, tags } from "./deps.ts";
import { toRelyingParty } from "./factors/passkeys.ts";
import { registerFactorRoutes } from "./factors/routes.ts";
import { registerPasswordRoutes } from "./passwords/routes.ts";
import { requireCredentials } from "./request-faults.ts";
import type { AccountService } from "./service.ts";
import { setDeviceCookie, toClient, toVisitor } from "./sessions/devices.ts";
import { listOwnSessions, revokeOwnSession, signOut, signOutEverywhere } from "./sessions/end-sessions.ts";
import { clearFilePass, setFilePass } from "./sessions/file-pass.ts";
import { refresh } from "./sessions/refresh.ts";
import { registerFactorLoginRoutes } from "./sign-in/routes.ts";
import { signIn } from "./sign-in/sign-in.ts";

const LOGIN_ROUTES = [
  ["/api/users/login/", "site", "Log in"],
  ["/api/auth/token/", "site", "Obtain tokens"],
  ["/api/admin/login/", "admin", "Log in to the console"],
  ["/voice/auth/login", "site", "Log in, for the voice API"],
] as const;

const REFRESH_ROUTES = [
  ["/api/auth/token/refresh/", "Renew tokens"],
  ["/api/users/refresh/", "Renew tokens"],
  ["/api/admin/refresh/", "Renew tokens"],
  ["/voice/auth/refresh", "Renew tokens, for the voice API"],
] as const;

/** Sessions: asked for, renewed, given up, and who is signed in (specification A section 7); and all other routes of accounts. */
export function registerAccountRoutes(
  app: App,
  given: {
    deps: AccountDeps;
    accounts: AccountService;
    requireLevel: RequireLevel;
    publicUrl: string | undefined;
  },
): void {
  const { deps, accounts, requireLevel, publicUrl } = given;

  for (const [url, area, summary] of LOGIN_ROUTES) {
    app.post(
      url,
      {
        onRequest: noStore,
        preValidation: requireCredentials,
        schema: { tags, summary, body: loginRequest, response: { 200: loginAnswer } },
      },
      async (request, reply) => {
        const site = toRelyingParty(request, publicUrl);
        const visitor = toVisitor(request, area);
        const signedIn = await signIn(deps, request.body, visitor, site, getApiLanguage(request));
        setDeviceCookie(reply, signedIn.device, publicUrl);
        setFilePass(reply, deps, signedIn.answer.tokens.access_token, publicUrl);
        return signedIn.answer;
      },
    );
  }

  for (const [url, summary] of REFRESH_ROUTES) {
    app.post(
      url,
      {
        onRequest: noStore,
        schema: { tags, summary, body: refreshRequest, response: { 200: refreshAnswer } },
      },
      async (request, reply) => {
        const answer = await refresh(deps, request.body.refresh, toClient(request));
        setFilePass(reply, deps, answer.access, publicUrl);
        return answer;
      },
    );
  }

  for (const url of ["/api/users/logout/", "/api/admin/logout/"]) {
    app.post(
      url,
      {
        onRequest: noStore,
        schema: { tags, summary: "Log out", body: refreshRequest, response: { 204: z.null() } },
      },
      async (request, reply) => {
        await signOut(deps, request.body.refresh, toClient(request));
        clearFilePass(reply, publicUrl);
        return reply.code(204).send(null);
      },
    );
  }

  app.post(
    "/api/auth/token/verify/",
    {
      onRequest: noStore,
      schema: {
        tags,
        summary: "What an access token says",
        body: verifyTokenRequest,
        response: { 200: verifyTokenAnswer },
      },
    },
    (request) => accounts.verifyToken(request.body.token),
  );

  app.get(
    "/api/users/me/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.guest),
      schema: { tags, security: SIGNED_IN, summary: "The signed-in person", response: { 200: accountUser } },
    },
    (request) => accounts.getMe(requireActor(request), getApiLanguage(request)),
  );

  const routeDeps = { deps, requireLevel, publicUrl, readActor: createReadActor(accounts.authenticate) };
  registerRegistrationRoutes(app, routeDeps);
  registerPasswordRoutes(app, routeDeps);
  registerSessionRoutes(app, routeDeps);
  registerFactorRoutes(app, routeDeps);
  registerFactorLoginRoutes(app, routeDeps);
}

const sessionParams = z.object({ id: z.uuid() });

/** Where a person is signed in. */
function registerSessionRoutes(app: App, { deps, requireLevel }: RouteDeps): void {
  const preHandler = requireLevel(ACCESS_LEVEL.guest);
  const security = SIGNED_IN;

  app.get(
    "/api/users/sessions/",
    {
      onRequest: noStore,
      preHandler,
      schema: { tags, security, summary: "Own sessions", response: { 200: sessionsAnswer } },
    },
    async (request) => ({ sessions: await listOwnSessions(deps, requireActor(request)) }),
  );

  app.delete(
    "/api/users/sessions/:id/",
    {
      onRequest: noStore,
      preHandler,
      schema: {
        tags,
        security,
        summary: "End an own session",
        params: sessionParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await revokeOwnSession(deps, requireActor(request), request.params.id);
      return reply.code(204).send(null);
    },
  );

  app.delete(
    "/api/users/sessions/",
    {
      onRequest: noStore,
      preHandler,
      schema: { tags, security, summary: "Log out everywhere", response: { 204: z.null() } },
    },
    async (request, reply) => {
      await signOutEverywhere(deps, requireActor(request));
      return reply.code(204).send(null);
    },
  );
}
