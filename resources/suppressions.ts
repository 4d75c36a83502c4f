import type { TFunction } from "i18next";
import type { BatchAnswer } from "#contract/content/bulk.ts";
import { readFilled } from "#contract/mail/reasons.ts";
import en from "#locales/en/mail-stop-reasons.json" with { type: "json" };
import { toSendStopped } from "./mails.ts";
import type { RecordSource } from "./record-source.ts";

/** The content model of suppressed addresses. It is read as any other, and changed through calls of its own. */
export const SUPPRESSION_MODEL = "mail.suppression";
export const SUPPRESSIONS_API = "/api/mail/suppressions";

/** Addresses that one request lifts. */
const LIFTED_MAX = 500;

/** Why an address gets no mail: what the server said in the reader's language, what a person wrote as it is. */
export function toStopReasonText(t: TFunction, reason: string): string {
  const filled = readFilled(en.stopReasons, reason);
  return filled ? t(`stopReasons.${filled.key}`, { ...filled.vars, defaultValue: reason }) : reason;
}

/** The generic list of suppressed addresses with what staff may do to them. A query is no list of numbers, so none is chosen. */
export function buildSuppressionsSource(source: RecordSource, t: TFunction): RecordSource {
  const lift = {
    key: "lift",
    label: t("suppressions.lift.label"),
    icon: "check",
    toConfirm: (count: number) => ({
      title: t("suppressions.lift.title", { count }),
      text: t("suppressions.lift.text"),
    }),
    reasonLabel: t("suppressions.reason"),
    failed: t("suppressions.lift.failed"),
    toNext: (answer: BatchAnswer) => toSendStopped(answer, t),
  } as const;
  const path = `${SUPPRESSIONS_API}/lift/`;
  const toText = (reason: string) => toStopReasonText(t, reason);
  return {
    ...source,
    fields: source.fields.map((field) => (field.name === "reason" ? { ...field, toText } : field)),
    paths: { ...source.paths, bulk: null },
    batchActions: [{ ...lift, path, idsName: "ids", max: LIFTED_MAX }],
    rowActions: [{ ...lift, toPath: () => path, toBody: (id) => ({ ids: [id] }), isEnd: true }],
  };
}
