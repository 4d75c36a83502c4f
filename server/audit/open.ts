import type { ContentService } from "#server/content/service.ts";
import type { Floor } from "#server/floor.ts";
import type { App } from "#server/http/zod.ts";
import { type Actions, createActions, type FindPeople } from "./actions.ts";
import { registerActionRoutes } from "./actions-routes.ts";
import { tellOfEntries } from "./tell-entries.ts";

/** The log: its endpoint, and word of new entries to those who look at it. */
export function openAudit(
  app: App,
  floor: Floor,
  deps: { content: ContentService; findPeople: FindPeople },
): Actions {
  tellOfEntries(app, floor.notices);
  const actions = createActions({ ...floor, ...deps, db: floor.pool });
  registerActionRoutes(app, { ...floor, actions });
  return actions;
}
