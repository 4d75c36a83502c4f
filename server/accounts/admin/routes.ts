import type { ContentService } from "#server/content/service.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { RequireLevel } from "#server/http/bearer.ts";
import type { App } from "#server/http/zod.ts";
import type { ReadMailStates } from "#server/mail/service.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { createLevelDoors } from "./level-doors.ts";
import { registerLevelRoutes } from "./level-routes.ts";
import { createUserDoors } from "./user-doors.ts";
import { registerUserAdminRoutes } from "./user-routes.ts";

function requireNumber(registry: Registry, key: string): number {
  const model = registry.byKey.get(key);
  if (!model) throw new Error(`${key} is no declared model.`);
  return model.contentTypeId;
}

/** The documented doors of the user admin service, and the users of the admin service. */
export function registerAccountAdminRoutes(
  app: App,
  parts: {
    db: Queryable;
    content: ContentService;
    registry: Registry;
    readMailStates: ReadMailStates;
    requireLevel: RequireLevel;
  },
): void {
  const { db, content, registry, readMailStates, requireLevel } = parts;
  const userType = requireNumber(registry, "accounts.user");
  const levelType = requireNumber(registry, "accounts.access_level");
  registerUserAdminRoutes(app, {
    users: createUserDoors({ db, content, readMailStates, contentTypeId: userType }),
    requireLevel,
  });
  registerLevelRoutes(app, { levels: createLevelDoors({ content, contentTypeId: levelType }), requireLevel });
}
