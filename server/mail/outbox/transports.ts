import type { SendMailOptions } from "nodemailer";

/** A message on its way. */
export interface Parcel {
  id: number;
  /** ISO moment at which it was queued. */
  createdAt: string;
  message: SendMailOptions;
}

/** The other side said no for good: the same message would hear the same again. The text is its answer. */
export class MailRefusedError extends Error {
  override name = "MailRefusedError";
  /** It was said to the recipient's address, before the message was sent: it may be about the address. */
  readonly isOfRecipient: boolean;

  constructor(
    answer: string,
    { isOfRecipient = false, cause }: { isOfRecipient?: boolean; cause?: unknown } = {},
  ) {
    super(answer, { cause });
    this.isOfRecipient = isOfRecipient;
  }
}

/** A way out for mails. */
export interface MailTransport {
  /**
   * Hands a message over. A second call with the same message makes a second copy of it, nothing else.
   * @returns what the other side answered. @throws MailRefusedError; any other error means that it may go later.
   */
  deliver(parcel: Parcel): Promise<string>;
  /** Cuts what is still open. */
  close(): Promise<void>;
}

/** Amazon SES's id of a mail stands in its answer: `250 Ok 0107019a-…-000000`. Undefined: another server, or none that tells. */
export function readProviderId(response: string): string | undefined {
  return /^250 Ok ([\w-]{20,80})$/.exec(response.trim())?.[1];
}
