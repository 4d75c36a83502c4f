import * as z from "zod/mini";
import { blocksAnswer, roomBan, roomBansAnswer } from "#contract/voice/people.ts";
import { banRequest, changeParticipantRequest, reportRequest } from "#contract/voice/room-requests.ts";
import { type RequireLevel, requireActor } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { VoiceDeps } from "../deps.ts";
import {
  about,
  createGuard,
  parsePersonId,
  participantParams,
  personParams,
  roomParams,
} from "../rooms/room-address.ts";
import { blockPerson, listOwnBlocks, reportPerson, unblockPerson } from "./blocks-and-reports.ts";
import { banPerson, listRoomBans, removeParticipant, setMuted, unbanPerson } from "./moderation.ts";

const PARTICIPANT_PATH = "/voice/rooms/:slug/participants/:userId";
const BANS_PATH = "/voice/rooms/:slug/bans";
const BLOCKS_PATH = "/voice/blocks";

/** What people may do about each other: moderation of a room, reports, and blocks of one's own. */
export function registerModerationRoutes(
  app: App,
  { deps, requireLevel }: { deps: VoiceDeps; requireLevel: RequireLevel },
): void {
  const guard = createGuard(requireLevel);

  app.put(
    PARTICIPANT_PATH,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Mute or unmute somebody",
        description:
          "Oneself, or as the room's creator or level 10 somebody else: then for all, until it is lifted.",
        params: participantParams,
        body: changeParticipantRequest,
        response: { 200: z.object({ user_id: z.string(), is_muted: z.boolean() }) },
      },
    },
    (request) => {
      const { slug, userId } = request.params;
      return setMuted(deps, slug, requireActor(request), { userId, isMuted: request.body.is_muted });
    },
  );

  app.delete(
    PARTICIPANT_PATH,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Remove somebody from a room",
        description: "As its creator or level 10. They may come back.",
        params: participantParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { slug, userId } = request.params;
      await removeParticipant(deps, slug, requireActor(request), userId);
      return reply.code(204).send(null);
    },
  );

  app.get(
    BANS_PATH,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Who may not enter a room",
        description: "For its creator and level 10.",
        params: roomParams,
        response: { 200: roomBansAnswer },
      },
    },
    async (request) => ({ bans: await listRoomBans(deps, request.params.slug, requireActor(request)) }),
  );

  app.post(
    BANS_PATH,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Ban somebody from a room",
        description: "As its creator or level 10. Whoever is inside has to leave.",
        params: roomParams,
        body: banRequest,
        response: { 201: roomBan },
      },
    },
    async (request, reply) => {
      const userId = parsePersonId(request.body.user_id);
      const ban = await banPerson(deps, request.params.slug, requireActor(request), userId);
      return reply.code(201).send(ban);
    },
  );

  app.delete(
    `${BANS_PATH}/:userId`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Lift a ban",
        params: participantParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      const { slug, userId } = request.params;
      await unbanPerson(deps, slug, requireActor(request), userId);
      return reply.code(204).send(null);
    },
  );

  app.post(
    "/voice/rooms/:slug/reports",
    {
      ...guard,
      schema: {
        ...about,
        summary: "Report somebody to the admins",
        description: "At most 20 a day (UTC).",
        params: roomParams,
        body: reportRequest,
        response: { 201: z.object({}) },
      },
    },
    async (request, reply) => {
      const { user_id, reason, message = "" } = request.body;
      const report = { userId: parsePersonId(user_id), reason, message };
      await reportPerson(deps, request.params.slug, requireActor(request), report);
      return reply.code(201).send({});
    },
  );

  app.get(
    BLOCKS_PATH,
    {
      ...guard,
      schema: { ...about, summary: "Whom one has blocked", response: { 200: blocksAnswer } },
    },
    (request) => listOwnBlocks(deps, requireActor(request)),
  );

  for (const [method, summary, change] of [
    ["PUT", "Block somebody for oneself", blockPerson],
    ["DELETE", "Unblock somebody", unblockPerson],
  ] as const) {
    app.route({
      method,
      url: `${BLOCKS_PATH}/:userId`,
      ...guard,
      schema: { ...about, summary, params: personParams, response: { 204: z.null() } },
      handler: async (request, reply) => {
        await change(deps, requireActor(request), request.params.userId);
        return reply.code(204).send(null);
      },
    });
  }
}
