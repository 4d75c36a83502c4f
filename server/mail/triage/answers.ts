import type { Language } from "#contract/languages.ts";
import { toReasonKey } from "#contract/mail/reasons.ts";
import type { Bounce, Complaint, TriageAnswer } from "#contract/mail/triage.ts";
import en from "#locales/en/mail-triage.json" with { type: "json" };
import tr from "#locales/tr/mail-triage.json" with { type: "json" };
import { AppError } from "#server/base/errors.ts";
import { toKindLabel } from "#server/models/declared/mail-message.ts";
import { fill } from "../content.ts";
import type { StoredBounce, StoredComplaint } from "./triage-store.ts";

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;
const UNDO_PATH = "/api/mail/triage/undo/";

export type TriageCode = Exclude<keyof typeof en, "batch">;

/** What became of each row that a call named. */
export interface Outcome {
  id: number;
  code: TriageCode;
}

/** The row is otherwise than before. */
const CHANGED: readonly TriageCode[] = ["processed", "unsubscribed", "already_suppressed", "undone"];
/** It is as the call wants it. */
const GOOD: readonly TriageCode[] = [...CHANGED, "already_unsubscribed"];

/** In the order in which they were named; what is named twice is there once. */
export function toOutcomes(ids: readonly number[], codes: ReadonlyMap<number, TriageCode>): Outcome[] {
  return [...new Set(ids)].map((id) => ({ id, code: codes.get(id) ?? "gone" }));
}

/** @param batchId By which it can be undone; null: it can't. @throws AppError object_not_found where the only row is gone. */
export function toTriageAnswer(
  outcomes: readonly Outcome[],
  batchId: string | null,
  lang: Language,
): TriageAnswer {
  const texts = TEXTS[lang];
  const done = outcomes.filter(({ code }) => GOOD.includes(code));
  const isChanged = outcomes.some(({ code }) => CHANGED.includes(code));
  const [only] = outcomes.length === 1 ? outcomes : [];
  if (only?.code === "gone") throw new AppError("object_not_found");
  return {
    success: done.length > 0,
    message: only ? texts[only.code] : fill(texts.batch, { done: done.length, count: outcomes.length }),
    results: outcomes.map(({ id, code }) => ({ id, ok: GOOD.includes(code), code, message: texts[code] })),
    undo: isChanged && batchId ? { path: UNDO_PATH, body: { batch_id: batchId } } : null,
  };
}

export function toComplaint(row: StoredComplaint, lang: Language): Complaint {
  return { ...row, mail_kind_label: toKindLabel(row.mail_kind, lang) };
}

export function toBounce(row: StoredBounce, lang: Language): Bounce {
  const { status_code, bounce_type: type, bounce_subtype: subtype } = row;
  return {
    ...row,
    mail_kind_label: toKindLabel(row.mail_kind, lang),
    reason: toReasonKey({ ...(status_code && { statusCode: status_code }), bounce: { type, subtype } }),
  };
}

export function toPage(total: number, { page, per_page }: { page: number; per_page: number }) {
  return { total, page, pages: Math.max(1, Math.ceil(total / per_page)) };
}
