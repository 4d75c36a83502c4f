import * as z from "zod/mini";
import { ACCESS_LEVEL, deleteAccountRequest } from "#contract/accounts/accounts.ts";
import { activityAnswer, ownProfile } from "#contract/accounts/own-account.ts";
import { ownMailAddress } from "#contract/mail/address.ts";
import { type RequireLevel, requireActor, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { toClient } from "../sessions/devices.ts";
import { deleteOwnAccount } from "./delete-account.ts";
import { createProfileLimits, createUploadGate, type ProfileDeps } from "./deps.ts";
import { exportPerson } from "./export.ts";
import { getMailAddress, tryMailAddress } from "./mail-address.ts";
import { getActivity, getOwnProfile } from "./own-account.ts";
import { readProfileForm } from "./read-form.ts";
import { updateProfile } from "./update-profile.ts";

const UPDATE_TEXT =
  "`multipart/form-data` or JSON; only what is sent changes. Fields: `username`, `email` (with `current_password`; it counts " +
  "once the code is typed that is sent there), `bio`, `first_name`, `last_name`, `admin_theme` (light, dark, auto), " +
  "`admin_language` (en, tr or empty), `voice_preferences`, `notification_preferences`, `privacy_settings` (JSON text; keys " +
  "that aren't sent stay), and the files `avatar` and `cover` (JPEG, PNG, WebP or AVIF up to 8 MB; an empty text removes the " +
  "picture). An empty text clears `bio` and the names.";

const activityQuery = z.object({
  before: z.optional(
    z.pipe(z.string().check(z.regex(/^\d{1,15}$/)), z.pipe(z.transform(Number), z.int().check(z.minimum(1)))),
  ),
});

/** A person's own account: profile, log, export, and its end. */
export function registerProfileRoutes(
  app: App,
  given: Omit<ProfileDeps, "limits" | "uploadGate"> & { requireLevel: RequireLevel },
): void {
  const { requireLevel, ...rest } = given;
  const deps: ProfileDeps = {
    ...rest,
    limits: createProfileLimits(rest.accounts.openCounter),
    uploadGate: createUploadGate(),
  };
  const { pool } = deps.accounts;
  const about = { tags: ["accounts"], security: SIGNED_IN };
  /** What belongs to a person is theirs to see, to take and to delete, whether the address is proven or not. */
  const signedIn = { onRequest: noStore, preHandler: requireLevel(ACCESS_LEVEL.guest) };
  const asUser = { onRequest: noStore, preHandler: requireLevel(ACCESS_LEVEL.user) };

  app.get(
    "/api/users/profile/",
    { ...signedIn, schema: { ...about, summary: "The own profile", response: { 200: ownProfile } } },
    (request) => getOwnProfile(pool, requireActor(request).userId),
  );

  app.put(
    "/api/users/profile/",
    {
      ...asUser,
      schema: {
        ...about,
        summary: "Change the own profile",
        description: UPDATE_TEXT,
        response: { 200: ownProfile },
      },
    },
    async (request) => {
      const person = requireActor(request);
      const save = async () => updateProfile(deps, person, await readProfileForm(request), toClient(request));
      return request.isMultipart() ? deps.uploadGate.pass(person.userId, save) : save();
    },
  );

  app.get(
    "/api/users/activity/",
    {
      ...signedIn,
      schema: {
        ...about,
        summary: "The own entries of the log, newest first",
        querystring: activityQuery,
        response: { 200: activityAnswer },
      },
    },
    (request) => getActivity(pool, requireActor(request).userId, request.query.before ?? null),
  );

  app.get(
    "/api/users/mail-address/",
    {
      ...signedIn,
      schema: {
        ...about,
        summary: "Whether mail reaches the own address",
        response: { 200: ownMailAddress },
      },
    },
    (request) => getMailAddress(deps, requireActor(request), getApiLanguage(request)),
  );

  app.post(
    "/api/users/mail-address/try/",
    {
      ...signedIn,
      schema: {
        ...about,
        summary: "Let mail to the own address through again, and send one: once an hour, three times a day",
        response: { 200: ownMailAddress },
      },
    },
    (request) => tryMailAddress(deps, requireActor(request), getApiLanguage(request)),
  );

  app.get(
    "/api/users/export/",
    {
      ...signedIn,
      // A HEAD would pack everything.
      exposeHeadRoute: false,
      schema: {
        ...about,
        summary: "Everything that is kept of the signed-in person, as zip",
      },
    },
    async (request, reply) => {
      const file = await exportPerson(deps, requireActor(request), getApiLanguage(request));
      return reply
        .type("application/zip")
        .header("Content-Disposition", `attachment; filename="${file.name}"`)
        .send(Buffer.from(file.content));
    },
  );

  app.delete(
    "/api/users/me/",
    {
      ...signedIn,
      schema: {
        ...about,
        summary: "Delete the own account",
        body: deleteAccountRequest,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteOwnAccount(deps, requireActor(request), request.body.password, toClient(request));
      return reply.code(204).send(null);
    },
  );
}
