import { toDaysStart } from "#contract/content/lists.ts";
import type { Language } from "#contract/languages.ts";
import type { MailDashboardAnswer, MailSeriesAnswer, MailStats } from "#contract/mail/statistics.ts";
import type { Queryable } from "../db/pool.ts";
import { DELIVERY_CHOICES } from "../models/declared/mail-message.ts";
import { returnedSource } from "./reports/returned/returned-source.ts";
import {
  selectDays,
  selectDeliveries,
  selectDomains,
  selectRecentBounces,
  selectRecentComplaints,
  selectTotals,
} from "./stats-store.ts";

/** Sources that report mails that arrived, not only those that didn't. */
const DELIVERY_SOURCES: readonly string[] = ["ses", "postmark", "mailgun", "signed"];

/** Whether no source reports mails that arrived: then taken by the next server counts as such. */
export function isAcceptedOnly(sources: readonly string[]): boolean {
  return !sources.some((name) => DELIVERY_SOURCES.includes(name));
}

/** Whether one of them reports complaints: providers do, and returned mail where they have an address for it. */
function hasComplaintReports(sources: readonly string[], hasFeedbackAddress: boolean): boolean {
  return sources.some(
    (name) => DELIVERY_SOURCES.includes(name) || (name === returnedSource.name && hasFeedbackAddress),
  );
}

export interface MailStatistics {
  /** `days`: UTC days, today included. */
  getStats(days: number): Promise<MailStats>;
  getSeries(days: number): Promise<MailSeriesAnswer>;
  getDashboard(lang: Language): Promise<MailDashboardAnswer>;
}

/** Percent with two decimals; null where there is nothing to divide by. */
function toRate(count: number, total: number): number | null {
  return total > 0 ? Math.round((10_000 * count) / total) / 100 : null;
}

export function createMailStatistics(deps: {
  db: Queryable;
  /** Names of the ways in that are set up. */
  sources: readonly string[];
  /** Of `MailWays`. */
  hasFeedbackAddress: boolean;
  now: () => Date;
}): MailStatistics {
  const { db, sources, hasFeedbackAddress, now } = deps;
  const isAccepted = isAcceptedOnly(sources);
  const isReported = sources.length > 0;
  const isComplained = hasComplaintReports(sources, hasFeedbackAddress);
  return {
    async getStats(days) {
      const start = toDaysStart(days, now().getTime());
      const { sent, delivered, bounced, complained, rejected, open, hard } = await selectTotals(db, start);
      const arrived = isAccepted ? delivered + open : delivered;
      const settled = isAccepted ? sent : sent - open;
      return {
        total_sent: sent,
        total_delivered: arrived,
        total_bounced: bounced,
        // Some may be known all the same: of a way in that is no more, or sent to a return path.
        total_complained: isComplained || complained > 0 ? complained : null,
        total_rejected: rejected,
        delivery_rate: toRate(arrived, settled),
        bounce_rate: isReported ? toRate(hard, sent) : null,
        complaint_rate: isComplained ? toRate(complained, arrived) : null,
        hard_bounced: hard,
        settled,
        delivered_is_accepted: isAccepted,
      };
    },

    async getSeries(days) {
      const end = now();
      const start = toDaysStart(days, end.getTime());
      const [byDay, domains] = await Promise.all([selectDays(db, start, end), selectDomains(db, start)]);
      return { days: byDay, domains };
    },

    async getDashboard(lang) {
      const [deliveries, bounces, complaints] = await Promise.all([
        selectDeliveries(
          db,
          Object.fromEntries(DELIVERY_CHOICES.map(({ value, labels }) => [value, labels[lang]])),
        ),
        selectRecentBounces(db),
        selectRecentComplaints(db),
      ]);
      return { recent_activity: { deliveries, bounces, complaints } };
    },
  };
}
