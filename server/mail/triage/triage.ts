import { randomUUID } from "node:crypto";
import type pg from "pg";
import type { Language } from "#contract/languages.ts";
import type {
  Bounce,
  BouncesAnswer,
  BouncesQuery,
  Complaint,
  ComplaintsAnswer,
  ComplaintsQuery,
  TriageAnswer,
  TriageChange,
} from "#contract/mail/triage.ts";
import { recordAudit, toChanges } from "#server/audit/service.ts";
import { AppError } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withRetriedTransaction, withRollback, withTransaction } from "#server/db/transaction.ts";
import type { SignedIn } from "../../base/actor.ts";
import { notifyChange, toRowChange } from "../../db/change-notices.ts";
import type { Floor } from "../../floor.ts";
import { maskAddress, toAddressKey } from "../secrets.ts";
import {
  type FindProtectedAddresses,
  type Lifted,
  type Suppressions,
  toStopReason,
} from "../suppressions/suppressions.ts";
import {
  type Outcome,
  type TriageCode,
  toBounce,
  toComplaint,
  toOutcomes,
  toPage,
  toTriageAnswer,
} from "./answers.ts";
import {
  type LockedRow,
  lockNotes,
  lockRows,
  markProcessed,
  markUnsubscribed,
  restoreRows,
  selectBounce,
  selectBounces,
  selectComplaint,
  selectComplaints,
  type TriageTable,
  updateNotes,
} from "./triage-store.ts";

/** The caller, and the language of the answers. */
export interface TriageCaller {
  actor: SignedIn;
  lang: Language;
  /** Only what would be done: nothing is changed. */
  isPreview?: boolean | undefined;
}

export interface Triage {
  listBounces(query: BouncesQuery, lang: Language): Promise<BouncesAnswer>;
  listComplaints(query: ComplaintsQuery, lang: Language): Promise<ComplaintsAnswer>;
  /** @throws AppError object_not_found, as all that follow do. */
  getBounce(id: number, lang: Language): Promise<Bounce>;
  getComplaint(id: number, lang: Language): Promise<Complaint>;
  change(table: TriageTable, id: number, change: TriageChange, caller: TriageCaller): Promise<void>;
  /** @param ids At most 500. One that is gone stands in `results`; only where it is the only one, it is thrown of. */
  process(table: TriageTable, ids: readonly number[], caller: TriageCaller): Promise<TriageAnswer>;
  /** Stops every mail to the rows' addresses and processes the rows. Transient bounces are refused. @throws AppError step_up_required. */
  unsubscribe(table: TriageTable, ids: readonly number[], caller: TriageCaller): Promise<TriageAnswer>;
  /** Puts back what a call changed: rows and suppressions. @throws AppError step_up_required for the latter. */
  undo(batchId: string, caller: TriageCaller): Promise<TriageAnswer>;
}

export interface TriageDeps {
  pool: pg.Pool;
  suppressions: Pick<Suppressions, "suppressMany" | "undo">;
  /** Mails that suppressions stopped which don't hold any more. */
  findStopped(db: Queryable, lifted: readonly Lifted[]): Promise<number[]>;
  /** Of `mail.bounce` and `mail.complaint`, for the log. */
  getContentTypeId: (modelKey: string) => number | null;
  /** Whether somebody can be a row's owner: they may open the console. */
  isStaff(db: Queryable, userId: number): Promise<boolean>;
  findProtectedAddresses: FindProtectedAddresses;
  requireRecent: Floor["requireRecent"];
  now: () => Date;
}

const MODELS: Readonly<Record<TriageTable, string>> = {
  mail_bounce: "mail.bounce",
  mail_complaint: "mail.complaint",
};

/** What staff stopped and nobody lifted since. */
const isUnsubscribed = ({ unsubscribed_by, suppression_id }: LockedRow) =>
  unsubscribed_by === "staff" && suppression_id !== null;

function requireRow<Row>(row: Row | undefined): Row {
  if (!row) throw new AppError("object_not_found");
  return row;
}

export function createTriage(deps: TriageDeps): Triage {
  const {
    pool,
    suppressions,
    findStopped,
    getContentTypeId,
    isStaff,
    findProtectedAddresses,
    requireRecent,
    now,
  } = deps;

  async function note(
    db: Queryable,
    table: TriageTable,
    rows: readonly { id: number; email_address: string }[],
    { actor, batchId, detail }: { actor: SignedIn; batchId: string; detail: string },
  ): Promise<void> {
    const contentTypeId = getContentTypeId(MODELS[table]);
    const entries = rows.map(({ id, email_address }) => ({
      action: "UPDATE" as const,
      detail,
      contentTypeId,
      objectId: id,
      objectRepr: maskAddress(email_address),
    }));
    await recordAudit(db, rows.length > 1 ? { ...actor, batchId } : actor, ...entries);
    if (rows.length === 0) return;
    const change = toRowChange(
      "updated",
      rows.map(({ id }) => id),
    );
    await notifyChange(db, MODELS[table], change);
  }

  async function stop(
    db: Queryable,
    table: TriageTable,
    rows: readonly LockedRow[],
    author: { actor: SignedIn; batchId: string },
  ): Promise<Map<number, TriageCode>> {
    const source = table === "mail_bounce" ? "bounce" : "complaint";
    const wanted = rows.map(({ email_address, reason }) => ({
      address: email_address,
      scope: "all" as const,
      reason:
        source === "bounce"
          ? toStopReason("byStaffReturned", { code: reason })
          : toStopReason("byStaffComplaint", { type: reason }),
      source,
      sourceEventId: null,
      expiresAt: null,
    }));
    const made = await suppressions.suppressMany(db, wanted, { ...author, detail: "unsubscribe" });
    const byRow = new Map<number, number>();
    const codes = new Map<number, TriageCode>();
    for (const { id, email_address } of rows) {
      const suppression = made.get(toAddressKey(email_address));
      if (!suppression) throw new Error("a suppression was made and is not there");
      byRow.set(id, suppression.id);
      codes.set(id, suppression.isNew ? "unsubscribed" : "already_suppressed");
    }
    await markUnsubscribed(db, table, byRow, { id: author.batchId, userId: author.actor.userId, now: now() });
    return codes;
  }

  /** A preview is the call itself, taken back at its end. */
  async function write(
    { isPreview }: TriageCaller,
    work: (db: pg.PoolClient) => Promise<TriageAnswer>,
  ): Promise<TriageAnswer> {
    // Rows before addresses; reports and undo go the other way.
    if (!isPreview) return withRetriedTransaction(pool, work);
    return { ...(await withRollback(pool, work)), undo: null };
  }

  return {
    async listBounces(query, lang) {
      const { rows, summary } = await selectBounces(pool, query, now());
      return {
        results: rows.map((row) => toBounce(row, lang)),
        ...toPage(summary.total, query),
        summary,
      };
    },

    async listComplaints(query, lang) {
      const { rows, summary } = await selectComplaints(pool, query, now());
      return {
        results: rows.map((row) => toComplaint(row, lang)),
        ...toPage(summary.total, query),
        summary,
      };
    },

    getBounce: async (id, lang) => toBounce(requireRow(await selectBounce(pool, id, now())), lang),

    getComplaint: async (id, lang) => toComplaint(requireRow(await selectComplaint(pool, id, now())), lang),

    change: (table, id, change, { actor }) =>
      withTransaction(pool, async (db) => {
        const before = requireRow(await lockNotes(db, table, id));
        const { email_address, ...notes } = before;
        const after = {
          note: change.note === undefined ? notes.note : change.note?.trim() || null,
          owner_id: change.owner_id === undefined ? notes.owner_id : change.owner_id,
        };
        if (
          after.owner_id !== null &&
          after.owner_id !== notes.owner_id &&
          !(await isStaff(db, after.owner_id))
        )
          throw new AppError("validation_failed", { fields: [{ field: "owner_id", code: "invalid_value" }] });
        await updateNotes(db, table, id, after, now());
        // What staff note about a person goes with the person; the log says that it changed.
        const changed = Object.keys(toChanges(notes, after));
        if (changed.length === 0) return;
        await note(db, table, [{ id, email_address }], { actor, batchId: "", detail: changed.join(",") });
      }),

    process: (table, ids, caller) =>
      write(caller, async (db) => {
        const { actor, lang } = caller;
        const batchId = randomUUID();
        const rows = await lockRows(db, table, ids);
        const open = rows.filter(({ is_processed }) => !is_processed);
        await markProcessed(
          db,
          table,
          open.map(({ id }) => id),
          { id: batchId, userId: actor.userId, now: now() },
        );
        await note(db, table, open, { actor, batchId, detail: "process" });
        const codes = new Map<number, TriageCode>(
          rows.map(({ id, is_processed }) => [id, is_processed ? "already_processed" : "processed"]),
        );
        return toTriageAnswer(toOutcomes(ids, codes), batchId, lang);
      }),

    unsubscribe: (table, ids, caller) =>
      write(caller, async (db) => {
        const { actor, lang } = caller;
        const batchId = randomUUID();
        const rows = await lockRows(db, table, ids);
        const codes = new Map<number, TriageCode>();
        const keys = rows.map(({ email_address }) => toAddressKey(email_address));
        const kept = await findProtectedAddresses(db, keys, actor);
        const able = rows.filter((row) => {
          const { id, bounce_type, email_address } = row;
          if (bounce_type === "Transient") codes.set(id, "transient_bounce");
          else if (email_address === "") codes.set(id, "forgotten");
          else if (isUnsubscribed(row)) codes.set(id, "already_unsubscribed");
          else if (kept.has(toAddressKey(email_address))) codes.set(id, "address_of_peer");
          return !codes.has(id);
        });
        if (!caller.isPreview) await requireRecent(actor, db);
        const done = await stop(db, table, able, { actor, batchId });
        await note(db, table, able, { actor, batchId, detail: "unsubscribe" });
        return toTriageAnswer(toOutcomes(ids, new Map([...codes, ...done])), batchId, lang);
      }),

    undo: (batchId, { actor, lang }) =>
      withRetriedTransaction(pool, async (db) => {
        const { undone, lifted } = await suppressions.undo(db, batchId, actor);
        const outcomes: Outcome[] = [];
        for (const table of ["mail_bounce", "mail_complaint"] as const) {
          const rows = await restoreRows(db, table, batchId, now());
          await note(db, table, rows, { actor, batchId: randomUUID(), detail: "undo" });
          outcomes.push(...rows.map(({ id }) => ({ id, code: "undone" as const })));
        }
        if (outcomes.length === 0 && undone === 0) throw new AppError("nothing_to_undo");
        if (undone > 0) await requireRecent(actor, db);
        return { ...toTriageAnswer(outcomes, null, lang), stopped: await findStopped(db, lifted) };
      }),
  };
}
