import type { TFunction } from "i18next";
import type { BatchAnswer } from "#contract/content/bulk.ts";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { ModelRecord } from "#contract/content/models.ts";
import type { NextAction, RecordSource } from "./record-source.ts";

/** The content model of the outbox. It is read as any other; what didn't arrive is sent again through a call of its own. */
export const MAIL_MODEL = "mail.message";
const MAILS_API = "/api/mail/messages";

/** What became of a mail that didn't arrive. The server decides again, and says why not. */
const LOST: readonly unknown[] = ["failed", "suppressed", "expired", "rejected", "bounced"];
const isLost = ({ delivery_state }: ModelRecord) => LOST.includes(delivery_state);

/** The list of mails with what staff may do to them. A query is no list of numbers, so none is chosen. */
export function buildMailsSource(source: RecordSource, t: TFunction): RecordSource {
  const resend = {
    key: "resend",
    label: t("mails.resend.label"),
    icon: "send",
    failed: t("mails.resend.failed"),
  } as const;
  return {
    ...source,
    paths: { ...source.paths, bulk: null },
    batchActions: [
      {
        ...resend,
        path: `${MAILS_API}/resend/`,
        idsName: "message_ids",
        max: ADMIN_LIMITS.batchRowsMax,
        toConfirm: (count) => ({
          title: t("mails.resend.title", { count }),
          text: t("mails.resend.text"),
        }),
      },
    ],
    rowActions: [{ ...resend, toPath: (id) => `${MAILS_API}/${id}/resend/`, isFor: isLost }],
  };
}

/** Mails that were held back until now, and can be sent. */
export function toSendStopped({ stopped = [] }: BatchAnswer, t: TFunction): NextAction | undefined {
  if (stopped.length === 0) return undefined;
  return {
    label: t("mails.resend.stopped", { count: stopped.length }),
    path: `${MAILS_API}/resend/`,
    body: { message_ids: stopped },
    failed: t("mails.resend.failed"),
  };
}
