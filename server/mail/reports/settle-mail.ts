import type { Queryable } from "#server/db/pool.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import type { ReadMailRules } from "../alarms/rules.ts";
import { isRefusalOfUs } from "../diagnostics.ts";
import { TRIAL_KINDS } from "../kinds.ts";
import { MESSAGE_MODEL } from "../outbox/message.ts";
import { type Suppressions, toStopReason, toSystemAuthor } from "../suppressions/suppressions.ts";
import { selectEvents } from "./event-store.ts";
import { deriveFate, type Fate } from "./fate.ts";
import {
  askOfOutlived,
  dropUntouched,
  type LockedMail,
  lockMail,
  markAsked,
  markSuppressed,
  putBounce,
  putComplaint,
  selectTransient,
  type TriageRow,
  updateFate,
} from "./settle-store.ts";

const DAY_MS = 24 * 60 * 60 * 1000;

export interface SettleDeps {
  suppressions: Pick<Suppressions, "suppress">;
  /** The owner's address, and those of people with access to the console: one return never stops all mail to them. */
  isStaffAddress(db: Queryable, addressKey: string): Promise<boolean>;
  /** What staff set: which news stops mail by itself. */
  rules: ReadMailRules;
  /** No source reports mails that arrived: what the next server took counts as arrived until it comes back. */
  isAccepted: boolean;
  now: () => Date;
}

interface Stop {
  table: "mail_bounce" | "mail_complaint";
  row: TriageRow;
  eventId: number;
  scope: "all" | "optional";
  reason: string;
  expiresAt: string | null;
}

async function stopMails(db: Queryable, deps: SettleDeps, mail: LockedMail, stop: Stop): Promise<void> {
  if (stop.scope === "all" && (await deps.isStaffAddress(db, mail.recipient_key))) {
    return markAsked(db, stop.table, stop.row.id);
  }
  const isBounce = stop.table === "mail_bounce";
  const wanted = {
    address: mail.recipient_key,
    scope: stop.scope,
    reason: stop.reason,
    source: isBounce ? "bounce" : "complaint",
    sourceEventId: stop.eventId,
    expiresAt: stop.expiresAt,
  };
  const { id } = await deps.suppressions.suppress(
    db,
    wanted,
    toSystemAuthor(isBounce ? "bounce" : "complaint"),
  );
  await markSuppressed(db, stop.table, stop.row.id, id);
}

const STRENGTHS = { none: 0, ask: 0, optional: 1, all: 2 } as const;

/** A verdict acts when it is new or stronger than before: what staff lifted stays lifted, whoever reads the reports again. */
function toScope({ before, verdict }: TriageRow): "all" | "optional" | undefined {
  const isNews = STRENGTHS[verdict] > (before === null ? 0 : STRENGTHS[before]);
  return isNews && (verdict === "all" || verdict === "optional") ? verdict : undefined;
}

/** Servers that refuse us, our settings or what we write say nothing of the person: that is never counted towards them. */
const isOfRecipient = (failure: { status_code: string | null; diagnostic: string | null }) =>
  !isRefusalOfUs({
    statusCode: failure.status_code ?? undefined,
    diagnostic: failure.diagnostic ?? undefined,
  });

async function settleBounce(
  db: Queryable,
  deps: SettleDeps,
  mail: LockedMail,
  bounce: NonNullable<Fate["bounce"]>,
): Promise<void> {
  const now = deps.now();
  const row = await putBounce(db, mail, bounce, now);
  if (STRENGTHS[row.verdict] === 0) await askOfOutlived(db, "mail_bounce", mail.id);
  const reason = [bounce.status_code, bounce.diagnostic].filter(Boolean).join(" · ").slice(0, 500);
  const stop = { table: "mail_bounce", row, eventId: bounce.id, expiresAt: null } as const;
  const scope = toScope(row);
  const { bounce_stops, transient_count_min, transient_days: days } = await deps.rules.get(db);
  if (scope) {
    if (!bounce_stops) return markAsked(db, "mail_bounce", row.id);
    await stopMails(db, deps, mail, { ...stop, scope, reason: reason || toStopReason("forGood") });
  } else if (row.before === null && bounce.bounce_type === "Transient" && isOfRecipient(bounce)) {
    const { isAccepted } = deps;
    const failures = await selectTransient(db, mail.recipient_key, { days, now, isAccepted });
    const count = failures.filter(isOfRecipient).length;
    if (count < transient_count_min) return;
    await stopMails(db, deps, mail, {
      ...stop,
      scope: "optional",
      reason: toStopReason("often", { mails: count, days }),
      expiresAt: new Date(now.getTime() + days * DAY_MS).toISOString(),
    });
  }
}

async function settleComplaint(
  db: Queryable,
  deps: SettleDeps,
  mail: LockedMail,
  complaint: NonNullable<Fate["complaint"]>,
): Promise<void> {
  const row = await putComplaint(db, mail, complaint, deps.now());
  if (STRENGTHS[row.verdict] === 0) await askOfOutlived(db, "mail_complaint", mail.id);
  const scope = toScope(row);
  if (!scope) return;
  const { complaint_stops } = await deps.rules.get(db);
  if (!complaint_stops) return markAsked(db, "mail_complaint", row.id);
  const type = complaint.feedback_type;
  await stopMails(db, deps, mail, {
    table: "mail_complaint",
    row,
    eventId: complaint.id,
    scope,
    reason: type ? toStopReason("complaint", { type }) : toStopReason("untypedComplaint"),
    expiresAt: null,
  });
}

/** By now nothing says that it came back, or that somebody complained. */
async function withdraw(db: Queryable, table: Stop["table"], messageId: number): Promise<void> {
  await dropUntouched(db, table, messageId);
  await askOfOutlived(db, table, messageId);
}

/**
 * Derives anew what became of a mail, keeps its bounce and its complaint in step, and stops mails to its address where the rules
 * say so. In the caller's transaction; the mail is locked until it ends.
 */
export async function settleMail(db: Queryable, deps: SettleDeps, messageId: number): Promise<void> {
  const mail = await lockMail(db, messageId);
  if (!mail) return;
  const fate = deriveFate(await selectEvents(db, messageId));
  await updateFate(db, messageId, fate, deps.now());
  if (mail.recipient_key === "") return; // its person was taken out
  await notifyChange(db, MESSAGE_MODEL, toRowChange("updated", [messageId]));
  if (TRIAL_KINDS.includes(mail.kind)) return;
  if (fate.bounce) await settleBounce(db, deps, mail, fate.bounce);
  else await withdraw(db, "mail_bounce", messageId);
  if (fate.complaint) await settleComplaint(db, deps, mail, fate.complaint);
  else await withdraw(db, "mail_complaint", messageId);
  if (fate.bounce) await notifyChange(db, "mail.bounce");
  if (fate.complaint) await notifyChange(db, "mail.complaint");
}
