import type { FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import {
  appSecretAnswer,
  PASSKEY_NAME_MAX_CHARS,
  passkeyOptionsAnswer,
  secondFactorChanged,
  secondFactorState,
} from "#contract/accounts/second-factor.ts";
import { addPasskeyRequest, appConfirmRequest } from "#contract/accounts/second-factor-requests.ts";
import { MAX_INT4 } from "#server/db/sql.ts";
import { requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { toOrigin } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { type RouteDeps, tags } from "../deps.ts";
import { describeDevice } from "../sessions/devices.ts";
import {
  addPasskey,
  askNewPasskey,
  confirmApp,
  getFactorState,
  makeAppSecret,
  nameOwnPasskey,
  removeApp,
  removePasskey,
  renewRecoveryCodes,
} from "./manage.ts";
import { toRelyingParty } from "./passkeys.ts";

const idParams = z.object({
  id: z.pipe(z.pipe(z.string(), z.transform(Number)), z.int().check(z.minimum(1), z.maximum(MAX_INT4))),
});
const nameRequest = z.object({
  name: z.string().check(z.trim(), z.minLength(1), z.maxLength(PASSKEY_NAME_MAX_CHARS)),
});

const BASE = "/api/users/second-factor/";

/** A person's own second factors. What changes them asks for a log-in of the last ten minutes (`POST /api/users/confirm/`). */
export function registerFactorRoutes(app: App, { deps, requireLevel, publicUrl }: RouteDeps): void {
  const guarded = { onRequest: noStore, preHandler: requireLevel(ACCESS_LEVEL.guest) };
  const about = { tags, security: SIGNED_IN };
  const changed = { 200: secondFactorChanged };
  const toSite = (request: FastifyRequest) => toRelyingParty(request, publicUrl);

  app.get(
    BASE,
    { ...guarded, schema: { ...about, summary: "Own second factors", response: { 200: secondFactorState } } },
    (request) => getFactorState(deps, requireActor(request), toSite(request)),
  );

  app.post(
    `${BASE}app/`,
    {
      ...guarded,
      schema: { ...about, summary: "A secret for an authenticator app", response: { 200: appSecretAnswer } },
    },
    (request) => makeAppSecret(deps, requireActor(request), new URL(toOrigin(request, publicUrl)).hostname),
  );

  app.post(
    `${BASE}app/confirm/`,
    {
      ...guarded,
      schema: { ...about, summary: "The first code of the app", body: appConfirmRequest, response: changed },
    },
    (request) => confirmApp(deps, requireActor(request), request.body.code, toSite(request)),
  );

  app.delete(
    `${BASE}app/`,
    { ...guarded, schema: { ...about, summary: "Take the authenticator app away", response: changed } },
    (request) => removeApp(deps, requireActor(request), toSite(request)),
  );

  app.post(
    `${BASE}passkeys/options/`,
    {
      ...guarded,
      schema: {
        ...about,
        summary: "What a new passkey is made from",
        response: { 200: passkeyOptionsAnswer },
      },
    },
    (request) => askNewPasskey(deps, requireActor(request), toSite(request)),
  );

  app.post(
    `${BASE}passkeys/`,
    {
      ...guarded,
      schema: { ...about, summary: "Add a passkey", body: addPasskeyRequest, response: changed },
    },
    (request) => {
      const device = describeDevice(request.headers["user-agent"] ?? null);
      return addPasskey(deps, requireActor(request), request.body, { site: toSite(request), device });
    },
  );

  app.patch(
    `${BASE}passkeys/:id/`,
    {
      ...guarded,
      schema: {
        ...about,
        summary: "Name a passkey",
        params: idParams,
        body: nameRequest,
        response: { 200: secondFactorState },
      },
    },
    (request) => {
      const renamed = { id: request.params.id, name: request.body.name };
      return nameOwnPasskey(deps, requireActor(request), renamed, toSite(request));
    },
  );

  app.delete(
    `${BASE}passkeys/:id/`,
    {
      ...guarded,
      schema: { ...about, summary: "Take a passkey away", params: idParams, response: changed },
    },
    (request) => removePasskey(deps, requireActor(request), request.params.id, toSite(request)),
  );

  app.post(
    `${BASE}recovery-codes/`,
    { ...guarded, schema: { ...about, summary: "New recovery codes", response: changed } },
    (request) => renewRecoveryCodes(deps, requireActor(request), toSite(request)),
  );
}
