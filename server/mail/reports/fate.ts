import { PROVIDER_LISTS } from "#contract/mail-reasons.ts";
import { ADDRESS_CODES } from "../diagnostics.ts";
import type { BounceDetails, ComplaintDetails, ReportedEvent } from "./reported-event.ts";

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
