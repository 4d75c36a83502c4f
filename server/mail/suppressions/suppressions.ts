import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Language } from "#contract/languages.ts";
import { readFilled } from "#contract/mail/reasons.ts";
import en from "#locales/en/mail-stop-reasons.json" with { type: "json" };
import tr from "#locales/tr/mail-stop-reasons.json" with { type: "json" };
import { recordAudit } from "../../audit/service.ts";
import { type Actor, SYSTEM_ACTOR } from "../../base/actor.ts";
import { AppError } from "../../base/errors.ts";
import { notifyChange } from "../../db/change-notices.ts";
import type { Queryable } from "../../db/pool.ts";
import type { SuppressionState } from "../../models/declared/mail-suppression.ts";
import { fill } from "../content.ts";
import { type MailSecrets, maskAddress, toAddressKey } from "../secrets.ts";
import {
  deleteSuppressions,
  insertChanges,
  lockAddresses,
  lockChanges,
  markUndone,
  putSuppressions,
  type StoredSuppression,
  type Suppression,
  selectByIds,
  selectChangedAddresses,
  selectSuppressions,
} from "./suppression-store.ts";

const TEXTS = { en: en.stopReasons, tr: tr.stopReasons } satisfies Record<Language, typeof en.stopReasons>;

/** Why the server stops mail to an address, as it is stored: in English. */
export function toStopReason(
  reason: keyof typeof en.stopReasons,
  vars: Readonly<Record<string, string | number>> = {},
): string {
  return fill(TEXTS.en[reason], vars);
}

/** What was stored, in the reader's language; a person's words stay as they are. */
export function translateStopReason(text: string, lang: Language): string {
  const filled = readFilled(TEXTS.en, text);
  return filled ? fill(TEXTS[lang][filled.key], filled.vars) : text;
}

const SUPPRESSION_MODEL = "mail.suppression";
/** `source` of what staff add. */
const STAFF = "admin";

/** The person who stops or lifts, and the call that does: all of one call can be undone together. */
export interface SuppressionAuthor {
  actor: Actor;
  batchId: string;
  /** What the log calls it: `suppress`, `unsubscribe`, `lift` … */
  detail: string;
}

type Scope = SuppressionState["scope"];
type Wanted = Omit<Suppression, "createdById">;

/** A suppression that doesn't hold any more. */
export interface Lifted {
  /** As it stood in the list. */
  address: string;
  scope: Scope;
  /** ISO moment from which on it held. */
  since: string;
}

export interface Suppressions {
  /**
   * Stops mails to addresses, also those that wait. A suppression that holds as long or longer stays as it is, unless it
   * was the server's or the person's and becomes staff's.
   * @param wanted All of one scope; of two for one address the first counts.
   * @returns by address key, the suppression that holds now and whether this call made it.
   * @throws AppError permission_denied where one is of somebody whom the author may not silence; nothing is written then.
   */
  suppressMany(
    db: Queryable,
    wanted: readonly Wanted[],
    author: SuppressionAuthor,
  ): Promise<ReadonlyMap<string, { id: number; isNew: boolean }>>;
  /** The same for one address. */
  suppress(db: Queryable, wanted: Wanted, author: SuppressionAuthor): Promise<{ id: number; isNew: boolean }>;
  /** Lets mail through again, as far as the rows are there. @returns them. */
  lift(
    db: Queryable,
    ids: readonly number[],
    author: SuppressionAuthor,
    reason: string,
  ): Promise<readonly Lifted[]>;
  /**
   * Puts back what one call changed, as it was. What was changed since stays, and so does mail to whom the actor may not silence.
   * @returns how many were put back, how many were not, and those of them that are gone by that.
   */
  undo(
    db: Queryable,
    batchId: string,
    actor: Actor,
  ): Promise<{ undone: number; kept: number; lifted: readonly Lifted[] }>;
}

export function toSystemAuthor(detail: string, from?: Partial<Actor>): SuppressionAuthor {
  return { actor: { ...SYSTEM_ACTOR, ...from }, batchId: randomUUID(), detail };
}

function toState(row: StoredSuppression): SuppressionState {
  const { scope, reason, source, source_event_id, created_by_id, created_at, expires_at } = row;
  return { scope, reason, source, source_event_id, created_by_id, created_at, expires_at };
}

/** Of changes those that left nothing. */
function toLifted(changes: readonly Change[]): Lifted[] {
  return changes.flatMap(({ address, scope, before, after }) =>
    before && !after ? [{ address, scope, since: before.created_at }] : [],
  );
}

/** Whether `wanted` would stop mails for longer than what stands. */
function isLonger(wanted: string | null, stands: string | null): boolean {
  if (stands === null) return false;
  return wanted === null || Date.parse(wanted) > Date.parse(stands);
}

const isStaffs = ({ source, created_by_id }: StoredSuppression) => source === STAFF && created_by_id !== null;

/** Whether staff add what the server or the person stopped, for as long at least: from then on it is staff's, who alone lift it. */
function takesOver(wanted: Wanted, stands: StoredSuppression): boolean {
  return wanted.source === STAFF && !isStaffs(stands) && !isLonger(stands.expires_at, wanted.expiresAt);
}

/** One address that is about to change, or changed. */
interface Change {
  address: string;
  scope: Scope;
  objectId: number;
  before: SuppressionState | null;
  after: SuppressionState | null;
  message: string;
}

function toAction({ before, after }: Change): "CREATE" | "UPDATE" | "DELETE" {
  if (before === null) return "CREATE";
  return after === null ? "DELETE" : "UPDATE";
}

interface SuppressionDeps {
  /** Of `mail.suppression`, so that a record's history shows what happened to it. */
  getContentTypeId: () => number | null;
  secrets: Pick<MailSecrets, "addressSecrets">;
  findProtectedAddresses: FindProtectedAddresses;
  now: () => Date;
}

/** Of addresses, as `toAddressKey` writes them, those whose mail the actor may not stop. */
export type FindProtectedAddresses = (
  db: Queryable,
  addresses: readonly string[],
  actor: Pick<Actor, "userId" | "level">,
) => Promise<ReadonlySet<string>>;

export function createSuppressions(deps: SuppressionDeps): Suppressions {
  const { getContentTypeId, secrets, findProtectedAddresses, now } = deps;
  const { addressSecrets } = secrets;

  async function note(
    db: Queryable,
    changes: readonly Change[],
    { actor, batchId, detail }: SuppressionAuthor,
  ): Promise<void> {
    if (changes.length === 0) return;
    await insertChanges(db, changes, { batchId, actorId: actor.userId, now: now() });
    const entries = changes.map((change) => ({
      action: toAction(change),
      detail,
      contentTypeId: getContentTypeId(),
      objectId: change.objectId,
      // The log outlives the person: it has the address in part only.
      objectRepr: maskAddress(change.address),
      message: change.message,
    }));
    await recordAudit(db, changes.length > 1 ? { ...actor, batchId } : actor, ...entries);
    await notifyChange(db, SUPPRESSION_MODEL);
  }

  async function suppressMany(db: Queryable, wanted: readonly Wanted[], author: SuppressionAuthor) {
    const [first] = wanted;
    if (!first) return new Map<string, { id: number; isNew: boolean }>();
    const { scope } = first;
    const byKey = new Map(
      wanted.map((one) => [toAddressKey(one.address), one]).reverse() as [string, Wanted][],
    );
    const keys = [...byKey.keys()];
    await lockAddresses(db, keys, addressSecrets);
    const [refused] = await findProtectedAddresses(db, keys, author.actor);
    if (refused !== undefined)
      throw new AppError("permission_denied", {
        fields: [{ field: "addresses", code: "address_of_peer", vars: { address: refused } }],
      });
    const stands = new Map(
      (await selectSuppressions(db, keys, scope, addressSecrets)).map((row) => [row.key, row]),
    );
    const keyOf = new Map([...stands].map(([key, { address }]) => [address, key]));
    const states = [...byKey].flatMap(([key, one]) => {
      const row = stands.get(key);
      if (row && !isLonger(one.expiresAt, row.expires_at) && !takesOver(one, row)) return [];
      const { reason, source, sourceEventId, expiresAt } = one;
      // What the server or the person adds to staff's stop makes it longer, and it stays staff's.
      const isOver = row?.expires_at && Date.parse(row.expires_at) <= now().getTime();
      if (row && isStaffs(row) && source !== STAFF && !isOver)
        return [{ address: row.address, ...toState(row), expires_at: expiresAt }];
      const state: SuppressionState = {
        scope,
        reason,
        source,
        source_event_id: sourceEventId,
        created_by_id: author.actor.userId,
        created_at: now().toISOString(),
        expires_at: expiresAt,
      };
      return [{ address: row?.address ?? key, ...state }];
    });
    const stored = await putSuppressions(db, states, now());
    await note(
      db,
      stored.map((row) => {
        const before = stands.get(keyOf.get(row.address) ?? row.address);
        return {
          address: row.address,
          scope,
          objectId: row.id,
          before: before ? toState(before) : null,
          after: toState(row),
          message: row.reason,
        };
      }),
      author,
    );
    const made = new Map(
      stored.map(({ address, id }) => [keyOf.get(address) ?? address, { id, isNew: true }]),
    );
    const kept = [...stands].map(([address, { id }]) => [address, { id, isNew: false }] as const);
    return new Map([...kept, ...made]);
  }

  /** Puts one change back; undefined: what stands is not what it left. */
  async function putBack(
    db: Queryable,
    { address, scope, before, after }: Pick<Change, "address" | "scope" | "before" | "after">,
  ): Promise<Change | undefined> {
    const [stands] = await selectSuppressions(db, [address], scope, addressSecrets);
    if (!isDeepStrictEqual(stands ? toState(stands) : null, after)) return undefined;
    const [stored] = before ? await putSuppressions(db, [{ address, ...before }], now()) : [];
    if (!before && stands) await deleteSuppressions(db, [stands.id]);
    const objectId = stored?.id ?? stands?.id ?? 0;
    return { address, scope, objectId, before: after, after: stored ? toState(stored) : null, message: "" };
  }

  return {
    suppressMany,

    async suppress(db, wanted, author) {
      const [answer] = (await suppressMany(db, [wanted], author)).values();
      if (!answer) throw new Error("a suppression was made and is not there");
      return answer;
    },

    async lift(db, ids, author, reason) {
      const chosen = await selectByIds(db, ids);
      await lockAddresses(
        db,
        chosen.map(({ address }) => address),
        addressSecrets,
      );
      const rows = await selectByIds(db, ids);
      await deleteSuppressions(
        db,
        rows.map(({ id }) => id),
      );
      const changes = rows.map((row) => ({
        address: row.address,
        scope: row.scope,
        objectId: row.id,
        before: toState(row),
        after: null,
        message: reason,
      }));
      await note(db, changes, author);
      return toLifted(changes);
    },

    async undo(db, batchId, actor) {
      // Addresses before rows: so does who deletes an account, and nobody waits in a ring.
      await lockAddresses(db, await selectChangedAddresses(db, batchId), addressSecrets);
      const changes = await lockChanges(db, batchId);
      const stopped = changes.flatMap(({ address, before }) => (before ? [address] : []));
      const kept = await findProtectedAddresses(db, stopped, actor);
      const undone: Change[] = [];
      const ids: number[] = [];
      for (const change of changes) {
        if (change.before && kept.has(change.address)) continue;
        const back = await putBack(db, change);
        if (!back) continue;
        undone.push(back);
        ids.push(change.id);
      }
      await markUndone(db, ids, now());
      await note(db, undone, { actor, batchId: randomUUID(), detail: "undo" });
      return { undone: ids.length, kept: changes.length - ids.length, lifted: toLifted(undone) };
    },
  };
}
