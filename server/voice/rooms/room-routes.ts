import * as z from "zod/mini";
import { changeRoomRequest, createRoomRequest, seatRequest } from "#contract/voice/room-requests.ts";
import {
  roomTicket,
  seatAnswer,
  voiceRoom,
  voiceRoomAnswer,
  voiceRoomCreated,
  voiceRoomsAnswer,
} from "#contract/voice/rooms.ts";
import { AppError } from "#server/base/errors.ts";
import { type RequireLevel, requireActor, toCaller } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { VoiceDeps } from "../deps.ts";
import { issueRoomTicket, leaveSeat, reserveSeat } from "./entry.ts";
import { about, createGuard, requireGoodRoom, requireMaker, roomParams } from "./room-address.ts";
import { changeVoiceRoom, createVoiceRoom, deleteVoiceRoom, getVoiceRoom, listVoiceRooms } from "./rooms.ts";

const PATH = "/voice/rooms";

/** A body may say who it is, and nobody else. @throws AppError permission_denied. */
function requireOwnSeat(named: string | number | undefined, userId: number): void {
  if (named !== undefined && String(named) !== String(userId)) throw new AppError("permission_denied");
}

/** Rooms, and the way into one (specification B section 7, voice API). */
export function registerRoomRoutes(
  app: App,
  { deps, requireLevel }: { deps: VoiceDeps; requireLevel: RequireLevel },
): void {
  const guard = createGuard(requireLevel);
  const { hasMixer } = deps;

  app.get(
    PATH,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Voice rooms",
        description: "Public rooms and the own ones, newest first; admins see all. At most 500.",
        response: { 200: voiceRoomsAnswer },
      },
    },
    (request) => listVoiceRooms(deps, requireActor(request)),
  );

  app.post(
    PATH,
    {
      onRequest: [...guard.onRequest, requireMaker],
      preValidation: requireGoodRoom(hasMixer, { isNew: true }),
      schema: {
        ...about,
        summary: "Make a voice room",
        description: "Level 5 or higher; below level 10 five rooms a day (UTC).",
        body: createRoomRequest,
        response: { 201: voiceRoomCreated },
      },
    },
    async (request, reply) =>
      reply.code(201).send(await createVoiceRoom(deps, request.body, toCaller(request))),
  );

  app.get(
    `${PATH}/:slug`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "A voice room",
        description: "By its slug or id: who has the address of a private room may see it.",
        params: roomParams,
        response: { 200: voiceRoomAnswer },
      },
    },
    (request) => getVoiceRoom(deps, request.params.slug),
  );

  app.put(
    `${PATH}/:slug`,
    {
      ...guard,
      preValidation: requireGoodRoom(hasMixer, { isNew: false }),
      schema: {
        ...about,
        summary: "Change a voice room",
        description: "Its creator, or level 10. What is not named stays; `is_active: false` closes it.",
        params: roomParams,
        body: changeRoomRequest,
        response: { 200: voiceRoom },
      },
    },
    (request) => changeVoiceRoom(deps, request.params.slug, request.body, toCaller(request)),
  );

  app.delete(
    `${PATH}/:slug`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Delete a voice room",
        description: "Its creator, or level 10.",
        params: roomParams,
        response: { 204: z.null() },
      },
    },
    async (request, reply) => {
      await deleteVoiceRoom(deps, request.params.slug, toCaller(request));
      return reply.code(204).send(null);
    },
  );

  app.post(
    `${PATH}/:slug/join`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Reserve a seat",
        description: "For 20 seconds; joining the channel takes it.",
        params: roomParams,
        body: z.nullish(seatRequest),
        response: { 200: seatAnswer },
      },
    },
    async (request) => {
      const person = requireActor(request);
      requireOwnSeat(request.body?.user_id, person.userId);
      return reserveSeat(deps, request.params.slug, person);
    },
  );

  app.post(
    `${PATH}/:slug/leave`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "Leave a room",
        params: roomParams,
        body: z.nullish(seatRequest),
        response: { 200: z.object({}) },
      },
    },
    async (request) => {
      const person = requireActor(request);
      requireOwnSeat(request.body?.user_id, person.userId);
      await leaveSeat(deps, request.params.slug, person, request.body?.participant_id);
      return {};
    },
  );

  app.get(
    `${PATH}/:slug/token`,
    {
      ...guard,
      schema: {
        ...about,
        summary: "A ticket to a room",
        description: "It goes into the payload of the channel's join, and opens nothing else.",
        params: roomParams,
        response: { 200: roomTicket },
      },
    },
    (request) => issueRoomTicket(deps, request.params.slug, requireActor(request)),
  );
}
