import { createAbortableQueries } from "#server/db/abortable-queries.ts";
import type { FileService } from "#server/files/service.ts";
import type { Floor } from "#server/floor.ts";
import type { App } from "#server/http/zod.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { type SearchBuilds, startSearchBuilds } from "#server/models/search-build.ts";
import { registerBulkRoutes } from "./bulk/routes.ts";
import { createBulk } from "./bulk/service.ts";
import { registerExportRoutes } from "./exports/routes.ts";
import { createContentExports } from "./exports/service.ts";
import { createTotals } from "./list/totals.ts";
import { registerContentRoutes, registerHistoryRoutes, registerSearchRoutes } from "./routes.ts";
import { type ContentService, createContentService } from "./service.ts";
import { registerMoveRoutes, registerWriteRoutes } from "./write-routes.ts";

interface ContentDeps {
  files: FileService;
  /** The writers of the models whose rows have rules of their own, by the model's key. */
  writers: ReadonlyMap<string, RecordWriter>;
  findPerson: Parameters<typeof createBulk>[0]["findPerson"];
}

/** The generic endpoints over every declared model: lists, writes, order, history, search, bulk work and exports. */
export function openContent(app: App, floor: Floor, deps: ContentDeps): ContentService {
  const { pool, feed, patience, requireLevel } = floor;
  const queries = createAbortableQueries(pool);
  app.addHook("onClose", queries.close);
  const totals = createTotals({ pool, queries, feed, patience });
  const service = createContentService({ ...floor, ...deps, queries, totals });
  const routes = { service, requireLevel };
  registerContentRoutes(app, routes);
  registerWriteRoutes(app, routes);
  registerMoveRoutes(app, routes);
  registerHistoryRoutes(app, routes);
  registerSearchRoutes(app, routes);

  const bulk = createBulk({ ...floor, ...deps });
  app.addHook("onListen", async () => bulk.worker.start());
  app.addHook("onClose", bulk.worker.close);
  registerBulkRoutes(app, { service: bulk.service, requireLevel });
  registerExportRoutes(app, { exports: createContentExports(floor), requireLevel });

  let searchBuilds: SearchBuilds | undefined;
  app.addHook("onListen", async () => {
    searchBuilds = startSearchBuilds(floor);
  });
  app.addHook("onClose", async () => searchBuilds?.close());
  return service;
}
