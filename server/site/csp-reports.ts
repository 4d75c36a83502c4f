import { toAddressBlock } from "#server/base/actor.ts";
import { takeSlot } from "#server/base/counters.ts";
import { notifyChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import { CSP_REPORTS_URL } from "#server/http/pages/policies.ts";
import { toOrigin } from "#server/http/request.ts";
import type { App } from "#server/http/zod.ts";
import type { Floor } from "../floor.ts";

const MODEL = "site.csp_report";
/** One report has 1 kB; browsers send several at once. */
const BODY_MAX_BYTES = 16 * 1024;
const REPORTS_A_BODY = 10;
const FROM_ADDRESS = { max: 20, windowMs: 60_000 };
const IN_ALL = { max: 120, windowMs: 60_000 };
/** Kinds that nobody has reported before: whoever makes them up pushes few of the real ones out. */
const NEW_FROM_ADDRESS = { max: 30, windowMs: 24 * 60 * 60_000 };
/** Kinds that are kept; of more the one that was seen last longest ago goes. */
const MAX_ROWS = 500;
const KEPT_DAYS = 30;

interface Kind {
  directive: string;
  blocked: string;
  page: string;
}

const DIRECTIVE = /^[a-z-]{3,40}$/;
const KEYWORD = /^[a-z-]{2,20}$/;
const EXTENSION = /-extension:/;
const PAGE_MAX_CHARS = 200;

const readText = (values: Record<string, unknown>, ...names: string[]): string => {
  const found = names.map((name) => values[name]).find((value) => typeof value === "string");
  return typeof found === "string" ? found.slice(0, 2_000) : "";
};

/** Names alone: of another site its origin, of a page of ours its path. Undefined: nothing of ours, or of a browser's extension. */
function toKind(report: unknown, origin: string): Kind | undefined {
  if (typeof report !== "object" || report === null) return undefined;
  const values = report as Record<string, unknown>; // texts are looked for in it, and anything else is none
  const page = URL.parse(readText(values, "document-uri", "documentURL"));
  const directive =
    readText(values, "effective-directive", "effectiveDirective", "violated-directive").split(" ", 1)[0] ??
    "";
  const source = readText(values, "source-file", "sourceFile");
  const given = readText(values, "blocked-uri", "blockedURL");
  if (page?.origin !== origin || !DIRECTIVE.test(directive)) return undefined;
  if (EXTENSION.test(source) || EXTENSION.test(given)) return undefined;
  const url = URL.parse(given);
  const elsewhere = url && (url.origin === "null" ? url.protocol : url.origin);
  const blocked = elsewhere ?? (KEYWORD.test(given) ? given : "");
  return {
    directive,
    blocked: blocked.slice(0, PAGE_MAX_CHARS),
    page: page.pathname.slice(0, PAGE_MAX_CHARS),
  };
}

/** `report-uri` sends one object, `report-to` a list with others among them. */
function readReports(body: unknown): unknown[] {
  const list = Array.isArray(body) ? body : [body];
  return list.slice(0, REPORTS_A_BODY).map((entry) => {
    const values: Record<string, unknown> = { ...(typeof entry === "object" ? entry : {}) };
    return values["csp-report"] ?? (values.type === "csp-violation" ? values.body : undefined);
  });
}

/** @param mayBeNew Asked for a kind that isn't there yet. */
async function countReport(
  db: Queryable,
  { directive, blocked, page }: Kind,
  now: Date,
  mayBeNew: () => Promise<boolean>,
): Promise<void> {
  const { rowCount } = await db.query(
    "SELECT FROM site_csp_report WHERE directive = $1 AND blocked = $2 AND page = $3",
    [directive, blocked, page],
  );
  if (rowCount === 0 && !(await mayBeNew())) return;
  // Many browsers may report the same at once.
  await db.query(
    `INSERT INTO site_csp_report AS r (directive, blocked, page, first_seen_at, last_seen_at) VALUES ($1, $2, $3, $4, $4)
     ON CONFLICT (directive, blocked, page)
       DO UPDATE SET count = least(r.count + 1, 1000000), last_seen_at = excluded.last_seen_at, updated_at = now()`,
    [directive, blocked, page, now.toISOString()],
  );
}

/** What nobody has seen for a month, and what is too much. */
export async function dropOldCspReports(db: Queryable, now: Date): Promise<void> {
  await db.query(
    `DELETE FROM site_csp_report WHERE last_seen_at < $1::timestamptz - make_interval(days => $2)
       OR id IN (SELECT id FROM site_csp_report ORDER BY last_seen_at DESC, id DESC OFFSET $3)`,
    [now.toISOString(), KEPT_DAYS, MAX_ROWS],
  );
}

/**
 * `POST /api/csp-reports/`: where browsers report what a page's policy forbade. Anybody can post there, so limits come before the body is
 * read, and kinds are counted in place of reports being kept.
 */
export async function registerCspReports(
  app: App,
  { pool, config, now, openCounter, feed }: Pick<Floor, "pool" | "config" | "now" | "openCounter" | "feed">,
): Promise<void> {
  const fromAddress = openCounter("csp.address", FROM_ADDRESS);
  const newFromAddress = openCounter("csp.new_from_address", NEW_FROM_ADDRESS);
  const inAll = openCounter("csp.in_all", IN_ALL);
  await app.register(async (scope) => {
    for (const type of ["application/csp-report", "application/reports+json"])
      scope.addContentTypeParser(type, { parseAs: "string" }, scope.getDefaultJsonParser("error", "error"));
    scope.post(CSP_REPORTS_URL, {
      bodyLimit: BODY_MAX_BYTES,
      schema: { hide: true },
      async onRequest(request) {
        await takeSlot(fromAddress, toAddressBlock(request.ip));
        await takeSlot(inAll, "");
      },
      async handler(request, reply) {
        const origin = toOrigin(request, config.publicUrl);
        const kinds = readReports(request.body).flatMap((report) => toKind(report, origin) ?? []);
        const address = toAddressBlock(request.ip);
        const mayBeNew = async () => (await newFromAddress.take(address)).isTaken;
        for (const kind of kinds) await countReport(pool, kind, now(), mayBeNew);
        if (kinds.length > 0) {
          await dropOldCspReports(pool, now());
          await notifyChange(pool, MODEL);
          feed.announce(MODEL);
        }
        return reply.code(204).send();
      },
    });
  });
}
