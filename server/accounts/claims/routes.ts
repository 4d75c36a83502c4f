import { loginAnswer } from "#contract/accounts/accounts.ts";
import {
  codeRequest,
  codeSentAnswer,
  invitationRequest,
  invitationState,
  registerAnswer,
  registerRequest,
  setupRequest,
  setupState,
  verifyEmailAnswer,
  verifyEmailRequest,
} from "#contract/accounts/registration.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { type RouteDeps, tags } from "../deps.ts";
import { isSetupOpen, setUp } from "../owners.ts";
import { requireCode, requireEmail, requireRegistration } from "../request-faults.ts";
import { setDeviceCookie, toClient } from "../sessions/devices.ts";
import { isInvitationGood } from "./claims.ts";
import { register } from "./register.ts";
import { requestVerification, verifyEmail } from "./verify-email.ts";

/** How accounts begin: registration, the proof of an address, and the owner's set-up. */
export function registerRegistrationRoutes(app: App, { deps, readActor, publicUrl }: RouteDeps): void {
  for (const url of ["/api/users/register/", "/voice/auth/register"]) {
    app.post(
      url,
      {
        onRequest: noStore,
        preValidation: requireRegistration,
        schema: { tags, summary: "Register", body: registerRequest, response: { 201: registerAnswer } },
      },
      async (request, reply) => {
        const answer = await register(deps, request.body, toClient(request), getApiLanguage(request));
        return reply.code(201).send(answer);
      },
    );
  }

  app.post(
    "/api/users/invitation/",
    {
      onRequest: noStore,
      schema: {
        tags,
        summary: "Whether an invitation lets somebody in",
        body: invitationRequest,
        response: { 200: invitationState },
      },
    },
    async (request) => ({
      is_good: await isInvitationGood(deps.pool, request.body.invitation, deps.clock()),
    }),
  );

  app.post(
    "/api/users/request-verification/",
    {
      onRequest: noStore,
      preValidation: requireEmail,
      preHandler: readActor,
      schema: {
        tags,
        summary: "Ask for a code by e-mail",
        body: codeRequest,
        response: { 200: codeSentAnswer },
      },
    },
    (request) =>
      requestVerification(deps, request.body, request.actor, toClient(request), getApiLanguage(request)),
  );

  app.post(
    "/api/users/verify-email/",
    {
      onRequest: noStore,
      preValidation: requireCode,
      preHandler: readActor,
      schema: {
        tags,
        summary: "Prove an e-mail address",
        body: verifyEmailRequest,
        response: { 200: verifyEmailAnswer },
      },
    },
    async (request, reply) => {
      const lang = getApiLanguage(request);
      const verified = await verifyEmail(deps, request.body, request.actor, toClient(request), lang);
      if (verified.device) setDeviceCookie(reply, verified.device, publicUrl);
      return verified.answer;
    },
  );

  app.get(
    "/api/users/setup/",
    {
      onRequest: noStore,
      schema: { tags, summary: "Whether nobody owns the site yet", response: { 200: setupState } },
    },
    async () => ({ is_open: await isSetupOpen(deps) }),
  );

  app.post(
    "/api/users/setup/",
    {
      onRequest: noStore,
      preValidation: requireRegistration,
      schema: {
        tags,
        summary: "Make the owner's account",
        body: setupRequest,
        response: { 200: loginAnswer },
      },
    },
    async (request, reply) => {
      const signedIn = await setUp(deps, request.body, toClient(request), getApiLanguage(request));
      setDeviceCookie(reply, signedIn.device, publicUrl);
      return signedIn.answer;
    },
  );
}
