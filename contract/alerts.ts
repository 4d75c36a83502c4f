import * as z from "zod/mini";
import { rowId } from "./values.ts";

/**
 * What the owners are alerted of. The last two can't be switched off: whoever is behind them would do so first. The others have a switch of
 * their name in `audit.alert_rules`.
 */
export const ALERT_KINDS = [
  "token_reuse",
  "failed_log_ins",
  "new_staff",
  "first_export",
  "factor_off",
  "keys_changed",
  "audit_broken",
] as const;
export type AlertKind = (typeof ALERT_KINDS)[number];

/** GET /api/admin/alerts/ and POST /api/admin/alerts/seen/: what no superuser has marked as seen. */
export const alertsAnswer = z.object({
  /** How many there are. */
  count: z.number(),
  /** Of the weightiest the newest: what anybody brings about stands before none about staff. */
  newest: z.nullable(
    z.object({
      id: z.number(),
      kind: z.enum(ALERT_KINDS),
      /** In the language of the request. */
      title: z.string(),
      text: z.string(),
      at: z.string(),
      /** Where the console shows what it is about. */
      path: z.string(),
    }),
  ),
  /** The highest number among them: what is marked as seen goes up to it. */
  up_to: z.number(),
  /** Owners whose address gets no mail, or whose latest mail came back. */
  unreachable: z.array(z.string()),
  /** Mails are written to files: no server is set up to send them through. */
  is_mail_off: z.boolean(),
});
export type AlertsAnswer = z.infer<typeof alertsAnswer>;

/** Marks the alerts up to this number as seen: what came after it was not on the screen. */
export const alertsSeenRequest = z.object({ up_to: rowId });
