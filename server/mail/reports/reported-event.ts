/** What can become of a mail behind the outbox, as a source tells it. */
export type ReportedKind =
  | "sent"
  | "delayed"
  | "delivered"
  | "bounced"
  | "rejected"
  | "complained"
  | "failed";

/** A mail came back. Types and subtypes are Amazon SES's words, whatever the source. */
export interface BounceDetails {
  type: "Permanent" | "Transient" | "Undetermined";
  /** `General`, `NoEmail`, `MailboxFull`, `MessageTooLarge`, `ContentRejected` …; a source's own word stays. */
  subtype: string;
  /** False: staff is asked before a Permanent one suppresses. Undefined: the source gives a code, which decides. */
  isCertain?: boolean;
}

/** Somebody called a mail spam, or asked their provider to stop such mails. */
export interface ComplaintDetails {
  /** As the report says it, in lower case: `abuse`, `fraud`, `virus`, `not-spam`, `opt-out` …; null: it doesn't say. */
  feedbackType: string | null;
  userAgent: string | null;
  /** How many recipients the complaint may be of: providers take addresses out. More than one suppresses nobody by itself. */
  candidates: number;
}

/**
 * By what the mail of an event is found, the surest first: the secret of its return path (24 hexadecimal digits), the
 * provider's own id of it, our Message-ID with its angle brackets.
 */
export interface MailReference {
  reportToken?: string | undefined;
  providerId?: string | undefined;
  messageId?: string | undefined;
}

/** What a report says of one recipient of one mail. */
export interface ReportedEvent {
  kind: ReportedKind;
  /** The same for the same news of one source, however often it comes; recipients of one report share it. */
  key: string;
  /** ISO moment, as the source tells it: anybody's word, so it is shown and never counted by. Null: not told. */
  occurredAt: string | null;
  /** The address as the source writes it; null where it was taken out of the report. */
  recipient: string | null;
  mail: MailReference;
  bounce?: BounceDetails;
  complaint?: ComplaintDetails;
  /** Enhanced status code (RFC 3463), such as `5.1.1`. */
  statusCode?: string | undefined;
  /** What the other server said, at most 500 characters, in one line. */
  diagnostic?: string | undefined;
  /** The source's id of a bounce or complaint. */
  feedbackId?: string | undefined;
  /** The server that reports. */
  reportingServer?: string | undefined;
}
