import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import { LIMITS } from "#contract/limits.ts";
import { voiceStatusRequest, voiceUser, voiceUsersAnswer } from "#contract/voice/people.ts";
import { MAX_INT4, toStorableLine } from "#server/db/sql.ts";
import { type RequireLevel, requireActor, requireOwnUserId, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import type { AccountDeps } from "../deps.ts";
import { PREFERENCES, type PreferencesField } from "../profile/parse-change.ts";
import { ACCESS_TOKEN_MINUTES } from "../tokens/access-token.ts";
import {
  changePreferences,
  changeStatus,
  getPreferences,
  getVoiceUser,
  listOnlineUsers,
  searchVoiceUsers,
  syncVoiceUser,
  type VoiceDeps,
} from "./voice-users.ts";

const PREFERENCES_ROUTES: readonly [string, PreferencesField, string][] = [
  ["voice-preferences", "voice_preferences", "voice preferences"],
  ["notification-preferences", "notification_preferences", "notification preferences"],
  ["privacy-settings", "privacy_settings", "privacy settings"],
];

const MINUTE_MS = 60_000;
const idParams = z.object({
  id: z.pipe(
    z.string().check(z.regex(/^\d{1,10}$/)),
    z.pipe(z.transform(Number), z.int().check(z.maximum(MAX_INT4))),
  ),
});
const searchQuery = z.object({
  q: z.string().check(z.overwrite(toStorableLine), z.minLength(2), z.maxLength(ADMIN_LIMITS.searchMaxChars)),
});
const nameParams = z.object({
  username: z.string().check(z.overwrite(toStorableLine), z.maxLength(LIMITS.usernameMaxChars)),
});

/** People as voice rooms need them (specification B section 7, voice API). */
export function registerVoiceUserRoutes(
  app: App,
  given: { accounts: AccountDeps; requireLevel: RequireLevel; accessTokenMinutes?: number | undefined },
): void {
  const { accounts, requireLevel, accessTokenMinutes = ACCESS_TOKEN_MINUTES } = given;
  const deps: VoiceDeps = { accounts, presenceMs: accessTokenMinutes * MINUTE_MS };
  const guarded = {
    onRequest: noStore,
    preHandler: [requireLevel(ACCESS_LEVEL.user), requireOwnUserId],
  };
  const about = { tags: ["voice"], security: SIGNED_IN };

  for (const [path, field, name] of PREFERENCES_ROUTES) {
    const response = { 200: PREFERENCES[field] };
    app.get(
      `/voice/users/${path}`,
      { ...guarded, schema: { ...about, summary: `The own ${name}`, response } },
      (request) => getPreferences(accounts, requireActor(request), field),
    );
    app.put(
      `/voice/users/${path}`,
      {
        ...guarded,
        schema: {
          ...about,
          summary: `Change the own ${name}`,
          description: "Keys that aren't sent stay as they are.",
          body: z.record(z.string(), z.unknown()),
          response,
        },
      },
      (request) => changePreferences(accounts, requireActor(request), field, request.body),
    );
  }

  app.put(
    "/voice/users/status",
    {
      ...guarded,
      schema: {
        ...about,
        summary: "Say whether one is there",
        body: voiceStatusRequest,
        response: { 200: voiceStatusRequest },
      },
    },
    async (request) => {
      await changeStatus(accounts, requireActor(request), request.body.status);
      return request.body;
    },
  );

  app.get(
    "/voice/users/online",
    { ...guarded, schema: { ...about, summary: "Who is there", response: { 200: voiceUsersAnswer } } },
    async (request) => ({ users: await listOnlineUsers(deps, requireActor(request)) }),
  );

  app.get(
    "/voice/users/search",
    {
      ...guarded,
      schema: {
        ...about,
        summary: "People by username and name",
        querystring: searchQuery,
        response: { 200: voiceUsersAnswer },
      },
    },
    async (request) => ({ users: await searchVoiceUsers(deps, requireActor(request), request.query.q) }),
  );

  app.get(
    "/voice/users/by-username/:username",
    {
      ...guarded,
      schema: { ...about, summary: "A person by username", params: nameParams, response: { 200: voiceUser } },
    },
    (request) => getVoiceUser(deps, requireActor(request), { username: request.params.username }),
  );

  app.get(
    "/voice/users/phoenix/:id",
    {
      ...guarded,
      schema: { ...about, summary: "A person by number", params: idParams, response: { 200: voiceUser } },
    },
    (request) => getVoiceUser(deps, requireActor(request), { id: request.params.id }),
  );

  app.post(
    "/voice/users/:id/sync",
    {
      ...guarded,
      schema: {
        ...about,
        summary: "A person's state as it is now",
        params: idParams,
        response: { 200: voiceUser },
      },
    },
    (request) => syncVoiceUser(deps, requireActor(request), request.params.id),
  );
}
