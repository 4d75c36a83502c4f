import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import { healthAnswer, sendingDomainAnswer, type VersionAnswer, versionAnswer } from "#contract/health.ts";
import { AppError } from "#server/base/errors.ts";
import { countJobs } from "#server/content/service.ts";
import { type RequireLevel, SIGNED_IN } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import { getApiLanguage } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import { getOutboxState } from "#server/mail/service.ts";
import type { Floor } from "../floor.ts";
import { createReadiness, readDisk } from "./checks.ts";
import type { MetricsSources } from "./metrics.ts";
import { openMetrics } from "./metrics-routes.ts";
import { openProcessFigures } from "./processes.ts";
import { createProxyWatch, type ProxyWatch } from "./proxies.ts";
import { createHealth, type Finding, type Health, type SendingDomain } from "./service.ts";

/** A socket's long poll waits on purpose: where sockets are refused, half of all requests would be its half minutes. */
export function isTimed(route: string | undefined): boolean {
  return !route?.endsWith("/longpoll");
}

/** What balancers and monitors ask, often past the proxy. */
const PROBES: ReadonlySet<string | undefined> = new Set(["/api/health/live", "/api/health/ready"]);

/** `GET /api/health/` for staff, and a sign of life for balancers. Every answered request is timed, but for long polls. */
function registerHealthRoutes(
  app: App,
  {
    health,
    proxies,
    isReady,
    lookForVersion,
    requireLevel,
  }: {
    health: Health;
    proxies: ProxyWatch;
    isReady: () => Promise<boolean>;
    lookForVersion: (() => Promise<VersionAnswer>) | undefined;
    requireLevel: RequireLevel;
  },
): void {
  app.addHook("onResponse", async ({ routeOptions, socket, headers, foundDatabaseFull }, reply) => {
    if (foundDatabaseFull) health.noteDatabaseFull();
    if (isTimed(routeOptions.url)) health.times.record(reply.elapsedTime);
    if (!PROBES.has(routeOptions.url)) proxies.observe({ peer: socket.remoteAddress ?? "", headers });
  });

  app.get(
    "/api/health/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["health"],
        security: SIGNED_IN,
        summary: "How the site is",
        response: { 200: healthAnswer },
      },
    },
    (request) => health.check(getApiLanguage(request)),
  );

  app.post(
    "/api/health/sending-domain/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["health"],
        security: SIGNED_IN,
        summary:
          "Looks the sending domain up again, at most once a minute; the health page has what is found",
        response: { 200: sendingDomainAnswer },
      },
    },
    (request) => health.checkDomainAgain(getApiLanguage(request)),
  );

  app.post(
    "/api/health/version/",
    {
      onRequest: noStore,
      preHandler: requireLevel(ACCESS_LEVEL.admin),
      schema: {
        tags: ["health"],
        security: SIGNED_IN,
        summary: "Looks for a newer version where the site was cloned from, at most once a minute",
        response: { 200: versionAnswer },
      },
    },
    () => {
      if (!lookForVersion) throw new AppError("not_found");
      return lookForVersion();
    },
  );

  app.get(
    "/api/health/live",
    {
      onRequest: noStore,
      schema: {
        tags: ["health"],
        summary: "Whether the process answers; asks nothing else",
        response: { 204: z.null() },
      },
    },
    async (_request, reply) => reply.code(204).send(null),
  );

  app.get(
    "/api/health/ready",
    {
      onRequest: noStore,
      schema: {
        tags: ["health"],
        summary:
          "Whether the site can work: 200, or 503 while it stops or its database doesn't answer; no body",
        response: { 200: z.undefined(), 503: z.undefined() },
      },
    },
    async (_request, reply) => reply.code((await isReady()) ? 200 : 503).send(),
  );
}

export interface HealthOptions {
  /** Tries what browsers in voice rooms reach each other by. */
  checkRelay?: () => Promise<Finding>;
  /** Whether mails can have return paths of their own. */
  checkReturnPath?: () => Promise<Finding>;
  /** How backups are; undefined: nothing is said of them. */
  checkBackups?: () => Promise<Finding>;
  /** Tables that can't be read; undefined: there are none. */
  checkTables?: () => Finding | undefined;
  checkAudit?: () => Finding | undefined;
  /** Whether the process is about to stop: it answers, and wants nothing new. */
  isStopping?: () => boolean;
  /** When the key that signs was made. */
  readKeyDate?: () => Promise<Date>;
  /** What other processes that run don't share, by the settings that would share it. */
  listUnshared?: () => Promise<readonly { setting: string }[]>;
  /** What receivers of mails look up; undefined where none are sent. */
  sendingDomain?: SendingDomain | undefined;
  /** Looks for a newer version; undefined where the site isn't a git clone. @throws AppError version_unknown */
  lookForVersion?: (() => Promise<VersionAnswer>) | undefined;
}

type HealthDeps = HealthOptions &
  Pick<MetricsSources, "sockets" | "pageCache"> & {
    voice: MetricsSources["voice"] & { checkEngine: (() => Promise<Finding>) | undefined };
    checkFiles: () => Promise<Finding>;
  };

/** The health page: what is measured each minute from the first listening on, and its checks. */
export async function openHealth(app: App, floor: Floor, deps: HealthDeps): Promise<Health> {
  const {
    checkRelay,
    checkReturnPath,
    checkBackups,
    checkTables,
    checkAudit,
    readKeyDate,
    listUnshared,
    sendingDomain,
    lookForVersion,
    voice,
    sockets,
    checkFiles,
    isStopping = () => false,
  } = deps;
  const { cluster } = floor;
  const { pool, feed } = floor;
  // Not behind requests that have all connections of the pool: cached pages need none, and slow statements are no reason to send everybody away.
  const ping = () => (feed.isLive() ? feed.ping() : pool.query("SELECT"));
  const canReachDatabase = createReadiness(ping, floor.now);
  const readOutbox = () => getOutboxState(floor.pool, floor.now());
  const proxies = createProxyWatch({ ...floor.config, now: floor.now });
  const health = createHealth({
    ...floor,
    checkRelay,
    checkReturnPath,
    checkBackups,
    checkTables,
    checkAudit,
    readKeyDate,
    listUnshared,
    sendingDomain,
    checkVoiceEngine: voice.checkEngine,
    checkProxies: proxies.check,
    listProcesses: cluster && openProcessFigures({ ...floor, link: cluster.link, sockets }),
    checkFiles,
    readOutbox,
    db: floor.pool,
    readDisk: () => readDisk(floor.config.dataDir),
    serverVersion: floor.version,
    hasVersionCheck: lookForVersion !== undefined,
  });
  app.addHook("onListen", async () => health.sampler.start());
  app.addHook("onClose", health.sampler.close);
  registerHealthRoutes(app, {
    ...floor,
    health,
    proxies,
    isReady: async () => !isStopping() && (await canReachDatabase()) && !isStopping(),
    lookForVersion,
  });
  const { metricsToken } = floor.config;
  if (metricsToken)
    await openMetrics(app, metricsToken, {
      ...floor,
      ...deps,
      pools: { requests: floor.pool, exports: floor.exportPool },
      readOutbox,
      countJobs: () => countJobs(floor.pool),
    });
  return health;
}
