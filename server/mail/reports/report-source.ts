import type { IncomingHttpHeaders } from "node:http";
import type { ReportedEvent } from "./reported-event.ts";

/**
 * A report that is proven, without what nobody may read later: subjects, bodies and returned messages are cut. Storing it and
 * reading it again gives the same events, so it can be replayed with a better parser.
 */
export interface ProvenReport {
  /** The source's id of the report: the same one sent twice has the same key. */
  key: string;
  /** JSON that `read` understands. */
  content: unknown;
  /** Not a report: somebody has to open this link to make the provider send reports. It is never fetched by itself. */
  confirmation?: { url: string; topic: string };
}

/** A way in for reports. */
export interface ReportSource {
  /** Stands in the webhook's address and in each report: `ses`, `postmark`, `mailgun`, `signed`, `returned`. */
  name: string;
  /** A webhook's body that is longer is refused unread. */
  bodyMaxBytes: number;
  /**
   * Proves a report and scrubs it. Undefined: nothing that is kept (opens, clicks, a provider's greeting).
   * @param ipAddress who sends it: what costs a request of ours is bounded by it until the report is proven
   * @throws ReportRefusedError, or AppError `unavailable` where it can't be proven now
   */
  verify(
    raw: Buffer,
    headers: IncomingHttpHeaders,
    ipAddress?: string | null,
  ): Promise<ProvenReport | undefined>;
  /** The events of a stored report. @throws Error when it can't be understood: it stays unread, and staff see why. */
  read(content: unknown): readonly ReportedEvent[];
}
