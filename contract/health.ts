import * as z from "zod/mini";

const status = z.enum(["healthy", "warning", "critical", "unknown"]);
export type HealthStatus = z.infer<typeof status>;
const trend = z.nullable(z.enum(["up", "down", "stable"]));

/** A part of the site, how it is, and why where it isn't healthy. */
const service = z.object({ status, message: z._default(z.string(), "") });

/** What receivers of the site's mail look up. `found`: what stands in DNS now; `publish`: a record to be pasted as it stands. */
const domainFinding = z.object({
  check: z.enum(["spf", "dkim", "dmarc", "mx", "ptr", "tls"]),
  state: z.enum(["good", "warning", "unknown"]),
  message: z.string(),
  found: z.nullable(z.string()),
  publish: z.nullable(z.object({ name: z.string(), type: z.enum(["TXT", "MX"]), value: z.string() })),
});
export type DomainFindingAnswer = z.infer<typeof domainFinding>;

/** The domain that mail is sent from; looked up behind the answers, and kept for hours. POST /api/health/sending-domain/ begins anew. */
export const sendingDomainAnswer = z.object({
  domain: z.string(),
  /** Null: nothing is known yet. */
  checked_at: z.nullable(z.string()),
  is_checking: z.boolean(),
  findings: z.array(domainFinding),
});
export type SendingDomainAnswer = z.infer<typeof sendingDomainAnswer>;

/** POST /api/health/version/: the newest version at the place that the site was cloned from, where that isn't installed; else null. */
export const versionAnswer = z.object({ newer: z.nullable(z.string()) });
export type VersionAnswer = z.infer<typeof versionAnswer>;

/** What a process of the site measured of itself. */
export const processFigures = z.object({
  version: z.string(),
  /** Seconds since it began. */
  uptime: z.number(),
  /** Of one core, since somebody asked before; more than 1 where threads work too. */
  cpu: z.number(),
  /** Share of that time in which its event loop had work, 0 to 1. */
  event_loop: z.number(),
  /** Bytes. */
  memory_usage: z.number(),
  /** Open connections. */
  sockets: z.number(),
});
export type ProcessFigures = z.infer<typeof processFigures>;

/** Figures are null where it didn't answer. `name`: its machine, port and number there, the same after a restart; else the beginning of its id. */
const processAnswer = z.object({ name: z.string(), figures: z.nullable(processFigures) });
export type ProcessAnswer = z.infer<typeof processAnswer>;

/** GET /api/health/ (specification B section 3). A null trend: too little is known. Units are in the comments. */
export const healthAnswer = z.object({
  overall_status: status,
  services: z.record(z.string(), service),
  /** Milliseconds, median of the last minutes; null before the first requests. */
  response_time: z.nullable(z.number()),
  response_time_trend: trend,
  /** Bytes of the server process. */
  memory_usage: z.number(),
  memory_trend: trend,
  /** Share of the data folder's disk that is used, 0 to 1; null: it can't be read. */
  disk_usage: z.nullable(z.number()),
  disk_trend: trend,
  /** Seconds since the process began. */
  uptime: z.number(),
  server_version: z.string(),
  node_version: z.optional(z.string()),
  database_version: z.optional(z.string()),
  python_version: z.optional(z.string()),
  django_version: z.optional(z.string()),
  /** Whether this site can be asked to look for a newer version. It never looks by itself. */
  version_check: z._default(z.boolean(), false),
  last_check: z.string(),
  /** Share of the recorded time that the site was up, 0 to 1; null: too little is known. */
  availability: z._default(z.nullable(z.number()), null),
  /** Recorded samples, oldest first. */
  history: z._default(
    z.array(
      z.object({
        time: z.string(),
        response_time: z.nullable(z.number()),
        memory_usage: z.number(),
        disk_usage: z.number(),
      }),
    ),
    [],
  ),
  /** Waiting mails; null where a back end has no outbox. */
  outbox: z._default(z.nullable(z.object({ pending: z.number(), oldest_s: z.nullable(z.number()) })), null),
  /** Null: mail isn't sent, or the back end knows nothing of it. */
  sending_domain: z._default(z.nullable(sendingDomainAnswer), null),
  /** All processes of the site, where there are several; the other figures are of the one that answers. */
  processes: z.optional(z.array(processAnswer)),
});
export type HealthAnswer = z.infer<typeof healthAnswer>;
