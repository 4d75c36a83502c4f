import type { ProvenReport, ReportSource } from "../report-source.ts";
import { readMime } from "./read-mime.ts";
import { readReturned, toReturnedKey } from "./read-returned.ts";
import { findReportToken } from "./report-token.ts";

/** A returned mail that may be stored. */
export interface ReturnedReport extends ProvenReport {
  /** The secret that it names, which may be invented. Null: it can belong to no mail, so the caller drops it. */
  token: string | null;
}

/**
 * Mail that comes back as a source of reports. It has no HTTP headers and no signature, so `prove` stands in the place of
 * `verify`: it takes the envelope's recipient, and what proves the report is the secret of a mail in the outbox.
 */
export interface ReturnedSource extends Pick<ReportSource, "name" | "read"> {
  /**
   * Scrubs a mail. Undefined: a machine's answer to it, such as "out of office". Never throws.
   * @param recipient the envelope's; without it the headers say whom the mail came to, as in a folder.
   */
  prove(raw: Uint8Array, envelope: { recipient?: string }): Promise<ReturnedReport | undefined>;
}

export const returnedSource: ReturnedSource = {
  name: "returned",
  async prove(raw, { recipient }) {
    const content = await readMime(raw, recipient);
    if (content.kind === "auto-reply") return undefined;
    return { key: toReturnedKey(content), content, token: findReportToken(content) ?? null };
  },
  read: readReturned,
};
