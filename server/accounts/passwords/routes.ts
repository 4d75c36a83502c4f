import { ACCESS_LEVEL, changePasswordRequest, doneAnswer } from "#contract/accounts/accounts.ts";
import {
  codeRequest,
  codeSentAnswer,
  resetPasswordAnswer,
  resetPasswordRequest,
} from "#contract/accounts/registration.ts";
import { confirmAnswer, confirmOptions } from "#contract/accounts/second-factor.ts";
import { confirmRequest } from "#contract/accounts/second-factor-requests.ts";
import { requireActor, requireOwnUserId, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { type RouteDeps, tags } from "../deps.ts";
import { toRelyingParty } from "../factors/passkeys.ts";
import { requireEmail, requirePasswordChange, requireReset } from "../request-faults.ts";
import { setDeviceCookie, toClient } from "../sessions/devices.ts";
import { askConfirmation, confirmPerson } from "./confirm-person.ts";
import { changePassword, requestReset, resetPassword } from "./set-password.ts";

/** Passwords that are forgotten, and those that are changed. */
export function registerPasswordRoutes(app: App, { deps, requireLevel, publicUrl }: RouteDeps): void {
  app.post(
    "/api/users/password/forgot/",
    {
      onRequest: noStore,
      preValidation: requireEmail,
      schema: {
        tags,
        summary: "Ask for a code to set a new password",
        body: codeRequest,
        response: { 200: codeSentAnswer },
      },
    },
    (request) => requestReset(deps, request.body, toClient(request), getApiLanguage(request)),
  );

  app.post(
    "/api/users/password/reset/",
    {
      onRequest: noStore,
      preValidation: requireReset,
      schema: {
        tags,
        summary: "Set a new password with a code",
        body: resetPasswordRequest,
        response: { 200: resetPasswordAnswer },
      },
    },
    async (request, reply) => {
      const site = toRelyingParty(request, publicUrl);
      const reset = await resetPassword(
        deps,
        request.body,
        { client: toClient(request), site },
        getApiLanguage(request),
      );
      setDeviceCookie(reply, reset.device, publicUrl);
      return reset.answer;
    },
  );

  const signedIn = requireLevel(ACCESS_LEVEL.guest);
  const confirming = { onRequest: noStore, preHandler: signedIn };
  app.post(
    "/api/users/confirm/options/",
    {
      ...confirming,
      schema: {
        tags,
        security: SIGNED_IN,
        summary: "How the person may show again that it is them",
        response: { 200: confirmOptions },
      },
    },
    (request) => askConfirmation(deps, requireActor(request), toRelyingParty(request, publicUrl)),
  );
  app.post(
    "/api/users/confirm/",
    {
      ...confirming,
      schema: {
        tags,
        security: SIGNED_IN,
        summary: "Show again that it is still the person who logged in",
        description:
          "By password, passkey or code; good for ten minutes. Second factors change by one of them alone.",
        body: confirmRequest,
        response: { 200: confirmAnswer },
      },
    },
    (request) => {
      const site = toRelyingParty(request, publicUrl);
      return confirmPerson(deps, requireActor(request), request.body, toClient(request), site);
    },
  );

  const routes = [
    { url: "/api/users/password/", guards: [signedIn] },
    { url: "/voice/auth/change-password", guards: [signedIn, requireOwnUserId] },
  ];
  for (const { url, guards } of routes) {
    app.post(
      url,
      {
        onRequest: noStore,
        preValidation: [...guards, requirePasswordChange],
        schema: {
          tags,
          security: SIGNED_IN,
          summary: "Change the password",
          body: changePasswordRequest,
          response: { 200: doneAnswer },
        },
      },
      async (request, reply) => {
        const lang = getApiLanguage(request);
        const person = requireActor(request);
        const changed = await changePassword(deps, person, request.body, toClient(request), lang);
        setDeviceCookie(reply, changed.device, publicUrl);
        return changed.answer;
      },
    );
  }
}
