import { PROVIDER_LISTS } from "#contract/mail/reasons.ts";
import { ADDRESS_CODES } from "../diagnostics.ts";
import type { StoredEvent } from "./event-store.ts";
import type { BounceDetails, ComplaintDetails, ReportedEvent } from "./report-source.ts";

/** What an event does by itself to its recipient: a suppression of this scope, a question to staff, or nothing. */
export type Verdict = "all" | "optional" | "ask" | "none";

/** RFC 7505: a domain that publishes it takes no mail. Postfix reports it as 5.1.0. */
const NULL_MX = /null ?mx/i;

/** Feedback types that mean: no more of these mails. No type at all is Amazon's plain complaint. */
const UNWANTED: ReadonlySet<string | null> = new Set([null, "abuse", "fraud", "opt-out"]);

/**
 * The rule for every source. It trusts the event: whether its mail is known, and whether the address is the owner's or a staff
 * member's, is for the caller to look up first. Several transient bounces in a row are counted elsewhere.
 */
export function toVerdict(event: ReportedEvent): Verdict {
  if (event.kind === "bounced" && event.bounce) return judgeBounce(event.bounce, event);
  if (event.kind === "complained" && event.complaint) return judgeComplaint(event.complaint);
  return "none";
}

function judgeBounce(bounce: BounceDetails, event: ReportedEvent): Verdict {
  if (bounce.type !== "Permanent") return "none";
  if (bounce.isCertain !== undefined) return bounce.isCertain ? "all" : "ask";
  if (PROVIDER_LISTS.has(bounce.subtype)) return "ask";
  return bounce.subtype === "NoEmail" || isAboutAddress(event) ? "all" : "ask";
}

function isAboutAddress({ statusCode = "", diagnostic = "" }: ReportedEvent): boolean {
  return ADDRESS_CODES.has(statusCode) || (statusCode === "5.1.0" && NULL_MX.test(diagnostic));
}

function judgeComplaint({ feedbackType, candidates }: ComplaintDetails): Verdict {
  return candidates === 1 && UNWANTED.has(feedbackType) ? "optional" : "none";
}

/** What is known of a mail by now. It depends on which events there are, never on their order or on how often they came. */
export interface Fate {
  /** Null: events say nothing that the outbox doesn't. */
  state: "sent" | "delayed" | "delivered" | "rejected" | "failed" | "bounced" | "complained" | null;
  deliveredAt: string | null;
  failureReason: string | null;
  /** The surest news that it came back, and that somebody complained. */
  bounce: (StoredEvent & { verdict: Verdict }) | null;
  complaint: (StoredEvent & { verdict: Verdict }) | null;
}

type State = NonNullable<Fate["state"]>;

/** The further one wins. What a provider says of a mail that it took weighs more than our own giving up. */
const RANKS: Readonly<Record<State, number>> = {
  failed: 1,
  sent: 2,
  delayed: 3,
  delivered: 4,
  rejected: 5,
  bounced: 6,
  complained: 7,
};

function rankOf({ kind, source }: StoredEvent): number {
  if (kind === "failed" && source !== "outbox") return RANKS.rejected;
  return RANKS[kind as State] ?? 0; // kinds without a rank (queued, unsubscribed) say nothing of delivery
}

const VERDICT_RANKS: Readonly<Record<Verdict, number>> = { none: 0, ask: 1, optional: 2, all: 3 };
const BOUNCE_RANKS = { Undetermined: 0, Transient: 1, Permanent: 2 } as const;

type Judged = StoredEvent & { verdict: Verdict };

const weigh = (event: Judged) =>
  VERDICT_RANKS[event.verdict] * 100 +
  (event.bounce_type ? BOUNCE_RANKS[event.bounce_type] * 10 : 0) +
  (event.status_code ? 1 : 0);

/** The surest of several that say the same; between equal ones names decide, so that their order doesn't. */
function pickSurest(events: readonly StoredEvent[]): Judged | null {
  const judged = events.map((event) => ({ ...event, verdict: judge(event) }));
  const name = ({ source, event_key }: Judged) => `${source} ${event_key}`;
  judged.sort((a, b) => weigh(b) - weigh(a) || (name(a) < name(b) ? -1 : 1));
  return judged[0] ?? null;
}

function judge(event: StoredEvent): Verdict {
  const { bounce_type: type, bounce_subtype, is_certain, feedback_type, user_agent, candidates } = event;
  const isCertain = is_certain ?? undefined;
  const bounce = type && {
    type,
    subtype: bounce_subtype ?? "General",
    ...(isCertain !== undefined && { isCertain }),
  };
  return toVerdict({
    kind: event.kind === "bounced" ? "bounced" : "complained",
    key: event.event_key,
    occurredAt: event.occurred_at,
    recipient: null,
    mail: {},
    statusCode: event.status_code ?? undefined,
    diagnostic: event.diagnostic ?? undefined,
    ...(bounce && { bounce }),
    ...(event.kind === "complained" && {
      complaint: { feedbackType: feedback_type, userAgent: user_agent, candidates: candidates ?? 1 },
    }),
  });
}

export function deriveFate(events: readonly StoredEvent[]): Fate {
  const of = (kind: string) => events.filter((event) => event.kind === kind);
  const furthest = [...events].sort(
    (a, b) => rankOf(b) - rankOf(a) || (a.event_key < b.event_key ? -1 : 1),
  )[0];
  const rank = furthest ? rankOf(furthest) : 0;
  const state = rank === 0 ? null : ((furthest?.kind as State) ?? null); // a rank above 0 is a state's
  const [delivered] = of("delivered")
    .map(({ occurred_at, created_at }) => occurred_at ?? created_at)
    .sort((a, b) => Date.parse(a) - Date.parse(b));
  const bounce = pickSurest(of("bounced"));
  const isFailure = state === "bounced" || state === "rejected" || state === "failed" || state === "delayed";
  const reason = state === "bounced" ? bounce : furthest;
  return {
    state,
    deliveredAt: delivered ?? null,
    failureReason: isFailure ? (reason?.diagnostic ?? reason?.status_code ?? null) : null,
    bounce,
    complaint: pickSurest(of("complained")),
  };
}
