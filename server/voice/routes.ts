import type { RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { VoiceParts } from "./parts.ts";
import { registerPeopleRoutes } from "./people/people-routes.ts";
import { registerRoomRoutes } from "./rooms/room-routes.ts";

/** The voice API beside people and accounts, which have their own (specification B section 7). */
export function registerVoiceRoutes(
  app: App,
  given: { parts: VoiceParts; requireLevel: RequireLevel },
): void {
  registerRoomRoutes(app, given);
  registerPeopleRoutes(app, given);
}
