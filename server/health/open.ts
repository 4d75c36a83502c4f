import type { Floor } from "#server/floor.ts";
import type { App } from "#server/http/zod.ts";
import { getOutboxState } from "#server/mail/service.ts";
import { readDisk } from "./disk.ts";
import { registerHealthRoutes } from "./routes.ts";
import { createHealth, type Finding, type Health, type SendingDomain } from "./service.ts";

export interface HealthOptions {
  /** Tries what browsers in voice rooms reach each other by. */
  checkRelay?: () => Promise<Finding>;
  /** What receivers of mails look up; undefined where none are sent. */
  sendingDomain?: SendingDomain | undefined;
}

type HealthDeps = HealthOptions & { checkVoiceEngine: (() => Promise<Finding>) | undefined };

/** The health page: what is measured each minute from the first listening on, and its checks. */
export function openHealth(app: App, floor: Floor, deps: HealthDeps): Health {
  const { checkRelay, sendingDomain, checkVoiceEngine } = deps;
  const health = createHealth({
    ...floor,
    checkRelay,
    sendingDomain,
    checkVoiceEngine,
    readOutbox: () => getOutboxState(floor.pool, floor.now()),
    db: floor.pool,
    readDisk: () => readDisk(floor.config.dataDir),
    serverVersion: floor.version,
  });
  app.addHook("onListen", async () => health.sampler.start());
  app.addHook("onClose", health.sampler.close);
  registerHealthRoutes(app, { ...floor, health });
  return health;
}
