import { randomUUID } from "node:crypto";
import type pg from "pg";
import { ADMIN_LIMITS } from "#contract/content/lists.ts";
import type { Language } from "#contract/languages.ts";
import type { TriageAnswer } from "#contract/mail/triage.ts";
import en from "#locales/en/mail-resend.json" with { type: "json" };
import tr from "#locales/tr/mail-resend.json" with { type: "json" };
import { recordAudit } from "../../audit/service.ts";
import type { SignedIn } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import type { Queryable } from "../../db/pool.ts";
import { withTransaction } from "../../db/transaction.ts";
import { fill } from "../content.ts";
import type { OutgoingMail } from "../kind.ts";
import { CODE_KINDS, FOREIGN_TEXT_KINDS, TRIAL_KINDS } from "../kinds.ts";
import {
  MESSAGE_MODEL,
  parseStoredMail,
  type QueueDeps,
  queueMail,
  StoredMailError,
} from "../outbox/message.ts";
import { maskAddress, toAddressKey } from "../secrets.ts";
import { type Lifted, translateStopReason } from "../suppressions/suppressions.ts";
import { lockPastMails, type PastMail, selectStoppedBy } from "./resend-store.ts";

/** The key by which the outbox takes a mail once, however often it is to be sent again. */
const toAgainKey = (id: number) => `again ${id}`;

const TEXTS = { en, tr } satisfies Record<Language, Record<keyof typeof en, string>>;
type Code = Exclude<keyof typeof en, "batch" | "suppressed_because">;

/** What became of a mail that didn't arrive. */
const LOST: readonly string[] = ["failed", "suppressed", "expired", "rejected", "bounced"];
/** It goes to the address that the account had before, on purpose. */
const TO_FORMER_ADDRESS = "address_changed";

export interface Resend {
  /**
   * Sends mails anew that didn't arrive: each as another mail with tokens of its own, so that what became of the first stays with
   * it. @param ids At most 500. @throws AppError object_not_found where the only one is gone.
   */
  resend(ids: readonly number[], caller: { actor: SignedIn; lang: Language }): Promise<TriageAnswer>;
  /** Numbers of the mails that suppressions stopped which don't hold any more, as far as they can be sent again; 500 at most. */
  findStopped(db: Queryable, lifted: readonly Lifted[]): Promise<number[]>;
}

export interface ResendDeps {
  pool: pg.Pool;
  queue: QueueDeps;
  getContentTypeId: (modelKey: string) => number | null;
}

/** Why a mail is not sent again, or the mail that is. */
type Verdict = { code: Exclude<Code, "sent_again"> } | { code: "sent_again"; mail: OutgoingMail };

/** Why what became of the mail speaks against sending it again. */
function findStateFault({ status, delivery_state }: PastMail): Exclude<Code, "sent_again"> | undefined {
  if (status === "pending" || status === "sending" || status === "held") return "waiting";
  if (delivery_state === "complained") return "complained";
  return LOST.includes(delivery_state) ? undefined : "arrived";
}

/** Why there is nobody or nothing to send. */
function findContentFault(row: PastMail): Exclude<Code, "sent_again"> | undefined {
  const { kind, recipient, recipient_key, vars, account_email } = row;
  if (recipient === "") return "forgotten";
  if (CODE_KINDS.includes(kind)) return "code";
  if (TRIAL_KINDS.includes(kind)) return "trial";
  const isEmpty = typeof vars !== "object" || vars === null || Object.keys(vars).length === 0;
  if (FOREIGN_TEXT_KINDS.includes(kind) && isEmpty) return "text_gone";
  const hasMoved = account_email !== null && toAddressKey(account_email) !== recipient_key;
  return hasMoved && kind !== TO_FORMER_ADDRESS ? "moved" : undefined;
}

export function createResend({ pool, queue, getContentTypeId }: ResendDeps): Resend {
  const { secrets, now } = queue;
  const { addressSecrets } = secrets;

  function judge(row: PastMail): Verdict {
    const fault = row.is_sent_again ? "already" : (findContentFault(row) ?? findStateFault(row));
    if (fault) return { code: fault };
    if (row.stop_reason !== null) return { code: "suppressed" };
    try {
      const mail = parseStoredMail(row, secrets);
      const isOver = "expiresAt" in mail && Date.parse(mail.expiresAt) <= now().getTime();
      return isOver ? { code: "over" } : { code: "sent_again", mail };
    } catch (error) {
      if (error instanceof StoredMailError) return { code: "incomplete" };
      throw error;
    }
  }

  function toMessage(code: Code, row: PastMail | undefined, lang: Language): string {
    const { stop_reason: reason } = row ?? {};
    if (code === "suppressed" && reason)
      return fill(TEXTS[lang].suppressed_because, { reason: translateStopReason(reason, lang) });
    return TEXTS[lang][code];
  }

  async function note(
    db: Queryable,
    sent: readonly { id: number; newId: number; recipient: string }[],
    actor: SignedIn,
  ): Promise<void> {
    const entries = sent.map(({ id, newId, recipient }) => ({
      action: "UPDATE" as const,
      detail: "resend",
      contentTypeId: getContentTypeId(MESSAGE_MODEL),
      objectId: id,
      objectRepr: maskAddress(recipient),
      message: `Sent again as mail ${newId}.`,
    }));
    await recordAudit(db, sent.length > 1 ? { ...actor, batchId: randomUUID() } : actor, ...entries);
  }

  /** Of two calls that overlap the outbox takes one mail: the other one finds its key. */
  async function send(db: Queryable, row: PastMail, verdict: Verdict) {
    if (verdict.code !== "sent_again") return { code: verdict.code };
    const newId = await queueMail(queue, db, verdict.mail, toAgainKey(row.id));
    return newId === undefined ? { code: "already" as const } : { code: verdict.code, newId };
  }

  return {
    resend: (ids, { actor, lang }) =>
      withTransaction(pool, async (db) => {
        const rows = await lockPastMails(db, ids, { now: now(), addressSecrets });
        const codes = new Map<number, Code>();
        const sent: { id: number; newId: number; recipient: string }[] = [];
        for (const row of rows) {
          const { code, newId } = { newId: undefined, ...(await send(db, row, judge(row))) };
          codes.set(row.id, code);
          if (newId !== undefined) sent.push({ id: row.id, newId, recipient: row.recipient });
        }
        await note(db, sent, actor);
        const byId = new Map(rows.map((row) => [row.id, row]));
        const results = [...new Set(ids)].map((id) => {
          const code = codes.get(id) ?? "gone";
          const ok = code === "sent_again";
          // Of a mail that is sent there is nothing to remark: the list shows remarks.
          return { id, ok, code, message: ok ? "" : toMessage(code, byId.get(id), lang) };
        });
        const [only] = results.length === 1 ? results : [];
        if (only?.code === "gone") throw new AppError("object_not_found");
        const counts = { done: sent.length, count: results.length };
        const message = only
          ? toMessage(only.code, byId.get(only.id), lang)
          : fill(TEXTS[lang].batch, counts);
        return { success: sent.length > 0, message, results, undo: null };
      }),

    async findStopped(db, lifted) {
      if (lifted.length === 0) return [];
      const limit = ADMIN_LIMITS.batchRowsMax;
      const rows = await selectStoppedBy(db, lifted, { now: now(), addressSecrets, limit });
      return rows.filter((row) => judge(row).code === "sent_again").map(({ id }) => id);
    },
  };
}
