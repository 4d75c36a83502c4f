import { toDaysStart } from "#contract/date-range.ts";
import { objectsResource } from "#resources/objects.ts";
import { toQueryExport } from "../../exports/export-call.ts";
import type { ExportJob } from "../../exports/use-export.ts";

/** What staff need of a mail; its text and its secrets are no fields. */
const DELIVERY_COLUMNS = [
  "id",
  "created_at",
  "handed_over_at",
  "kind",
  "recipient",
  "language",
  "status",
  "delivery_state",
  "sent_at",
  "delivered_at",
  "failure_reason",
  "response",
  "attempts",
  "message_id",
] as const;

interface Deliveries {
  /** Of `mail.message`. */
  contentTypeId: number;
  days: number;
  /** About so many mails. */
  rowCount: number;
  now: Date;
}

/**
 * The period's mails, a row each: those that the figures count, by the day of their hand-over, and what was to be sent in these days
 * and was not. For people: labels in their language, newest first.
 */
export function toDeliveriesExport({ contentTypeId, days, rowCount, now }: Deliveries): ExportJob {
  const value = toDaysStart(days, now.getTime()).toISOString();
  const since = (field: string) => ({ field, operator: "gte", value });
  const query = {
    where: { or: [since("created_at"), since("handed_over_at")] },
    sorts: [{ field: "created_at", direction: "desc" as const }],
  };
  const choice = {
    format: "csv",
    columns: DELIVERY_COLUMNS,
    keepsFormulas: false,
    isForSpreadsheets: true,
  } as const;
  return {
    ...toQueryExport(objectsResource(contentTypeId), query, choice),
    format: "csv",
    modelName: `email-deliveries-${days}-days`,
    rowCount,
  };
}
