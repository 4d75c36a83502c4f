import { registerActionRoutes } from "#server/actions/routes.ts";
import { type Actions, createActions, type FindPeople } from "#server/actions/service.ts";
import type { ContentService } from "#server/content/service.ts";
import type { Floor } from "#server/floor.ts";
import type { App } from "#server/http/zod.ts";
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
