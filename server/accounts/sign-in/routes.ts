import { loginAnswer } from "#contract/accounts/accounts.ts";
import { passkeyOptionsAnswer } from "#contract/accounts/second-factor.ts";
import { passkeyLoginRequest, secondFactorRequest } from "#contract/accounts/second-factor-requests.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { type RouteDeps, tags } from "../deps.ts";
import { toRelyingParty } from "../factors/passkeys.ts";
import { setDeviceCookie, toVisitor } from "../sessions/devices.ts";
import { setFilePass } from "../sessions/file-pass.ts";
import type { SignedInAnswer } from "../sessions/open-session.ts";
import { askPasskey, signInWithFactor, signInWithPasskey } from "./second-step.ts";

type Reply = Parameters<typeof setDeviceCookie>[0];

/** Log-ins beyond the password: the second factor after it, and a passkey in its place. */
export function registerFactorLoginRoutes(app: App, { deps, publicUrl }: RouteDeps): void {
  const answer = (reply: Reply, signedIn: SignedInAnswer) => {
    setDeviceCookie(reply, signedIn.device, publicUrl);
    setFilePass(reply, deps, signedIn.answer.tokens.access_token, publicUrl);
    return signedIn.answer;
  };

  app.post(
    "/api/users/login/second-factor/",
    {
      onRequest: noStore,
      schema: {
        tags,
        summary: "The second half of a log-in",
        body: secondFactorRequest,
        response: { 200: loginAnswer },
      },
    },
    async (request, reply) => {
      const site = toRelyingParty(request, publicUrl);
      const visitor = toVisitor(request, "site");
      return answer(
        reply,
        await signInWithFactor(deps, request.body, visitor, site, getApiLanguage(request)),
      );
    },
  );

  app.post(
    "/api/users/login/passkey/options/",
    {
      onRequest: noStore,
      schema: { tags, summary: "Ask to log in by passkey", response: { 200: passkeyOptionsAnswer } },
    },
    (request) => askPasskey(deps, toVisitor(request, "site"), toRelyingParty(request, publicUrl)),
  );

  app.post(
    "/api/users/login/passkey/",
    {
      onRequest: noStore,
      schema: {
        tags,
        summary: "Log in by passkey",
        body: passkeyLoginRequest,
        response: { 200: loginAnswer },
      },
    },
    async (request, reply) => {
      const site = toRelyingParty(request, publicUrl);
      const visitor = toVisitor(request, "site");
      return answer(
        reply,
        await signInWithPasskey(deps, request.body, visitor, site, getApiLanguage(request)),
      );
    },
  );
}
