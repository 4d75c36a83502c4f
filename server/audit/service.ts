import type { AlertKind } from "#contract/alerts.ts";
import type { Language, LocalizedText } from "#contract/languages.ts";
import en from "#locales/en/audit.json" with { type: "json" };
import tr from "#locales/tr/audit.json" with { type: "json" };
import { type Actor, SYSTEM_ACTOR } from "#server/base/actor.ts";
import { notifyChange, type RowChange, toRowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { AddParameter } from "#server/models/model.ts";
import { readEnd, readMark, writeMark } from "./chain/mark.ts";
import { blankEntries, blankMessages, blankObjects } from "./forget-store.ts";
import {
  deleteAlertsBefore,
  type FullEntry,
  insertAlert,
  insertEntries,
  insertEntriesSql,
  type ObjectEntry,
  type OwnEntry,
  type PastName,
  selectFullEntries,
  selectNames,
  selectObjectEntries,
  selectOwnEntries,
} from "./store.ts";

export type ActionType = "CREATE" | "UPDATE" | "DELETE" | "VIEW" | "LOGIN" | "LOGOUT";

/** Changed fields, values as they travel. A created row has no `before`, a deleted one no `after`. */
export type Changes = Record<string, { before?: unknown; after?: unknown }>;

export interface AuditEntry {
  action: ActionType;
  /** What exactly, where the action is too coarse: `export`, `import`, `failed_sign_in` … */
  detail?: string;
  contentTypeId?: number | null;
  objectId?: string | number | null;
  objectRepr?: string | null;
  message?: string;
  changes?: Changes;
}

export const ENTRY_MODEL = "audit.entry";
export const NEW_ENTRIES: RowChange = { type: "created", ids: [], isMany: true };

/** Publishes entries that are written outside of requests, inside the transaction that writes them. */
export async function notifyEntries(db: Queryable): Promise<void> {
  await notifyChange(db, ENTRY_MODEL, NEW_ENTRIES);
}

/** Writes entries with the connection of the write that they record, so that both commit or neither does. */
export async function recordAudit(db: Queryable, actor: Actor, ...entries: AuditEntry[]): Promise<void> {
  if (entries.length === 0) return;
  const rows = entries.map((entry) => ({
    user_id: actor.userId,
    username: actor.username,
    ip_address: actor.ipAddress,
    request_id: actor.requestId,
    batch_id: actor.batchId ?? null,
    action_type: entry.action,
    detail: entry.detail ?? null,
    content_type_id: entry.contentTypeId ?? null,
    object_id: entry.objectId === undefined || entry.objectId === null ? null : String(entry.objectId),
    object_repr: entry.objectRepr ?? null,
    change_message: entry.message ?? "",
    changes: entry.changes ?? null,
  }));
  await insertEntries(db, rows);
  // The entries of a request are published when it is over.
  if (actor.requestId === null) await notifyEntries(db);
}

/** Something that the owners of the site are to know at once. */
export interface Alert {
  kind: AlertKind;
  /** Whose account it is about. */
  userId?: number | null;
  /** Who did it. */
  byId?: number | null;
  ipAddress?: string | null;
  /** What exactly, without anything about people. */
  about?: LocalizedText;
  count?: number;
  /** It goes on: none is added to one of its kind that nobody has seen. */
  isOnce?: boolean;
}

export const ALERT_MODEL = "audit.alert";
export { NOBODYS_WEIGHT } from "./store.ts";

/**
 * Alerts the owners, unless they switched the kind off, with the connection of the write that it is about: both commit or neither
 * does. The mail follows (`actions/alerts.ts`), and no failure of sending comes back here. Best called last in a transaction.
 */
export async function raiseAlert(db: Queryable, alert: Alert): Promise<void> {
  const id = await insertAlert(
    db,
    {
      kind: alert.kind,
      user_id: alert.userId ?? null,
      by_id: alert.byId ?? null,
      about: alert.about ?? null,
      count: alert.count ?? 1,
      ip_address: alert.ipAddress ?? null,
    },
    alert.isOnce ?? false,
  );
  if (id !== undefined) await notifyChange(db, ALERT_MODEL, toRowChange("created", [id]));
}

/** Shorter than the log, which holds the same events. */
const ALERTS_KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** Called at start and daily. */
export function deleteOldAlerts(db: Queryable, now: Date): Promise<void> {
  return deleteAlertsBefore(db, new Date(now.getTime() - ALERTS_KEPT_MS));
}

/**
 * Where the log ended before its database was replaced (`restore`), or lost its end by what its owner did (`log_end`): an entry says so,
 * and the end that the chain has now counts as seen. In the caller's transaction. @returns what puts the mark back where that fails
 */
export async function noteSetBack(
  db: Queryable,
  dataDir: string,
  entry: { detail: "restore" | "log_end"; message: string },
): Promise<() => Promise<void>> {
  const former = await readMark(dataDir);
  const end = await readEnd(db);
  const [before, after] = [former, end].map((seal) => (seal ? `${seal.id} ${seal.hash}` : null));
  await recordAudit(db, SYSTEM_ACTOR, {
    action: "UPDATE",
    ...entry,
    changes: { newest_seal: { before, after } },
  });
  await writeMark(dataDir, end);
  return () => writeMark(dataDir, former);
}

/** Entries of a statement that writes rows: what each of them says is SQL over the rows of `from`. */
export interface AuditQuery {
  action: ActionType;
  detail?: string | null;
  contentTypeId: number;
  /** What stands behind FROM, conditions and all. */
  from: string;
  objectId: string;
  objectRepr: string;
  message: string;
  /** SQL of a `Changes` as jsonb. */
  changes: string;
}

/** The statement, without a result, that writes an entry for each row of a query: part of the statement that writes the rows. */
export function auditInsertSql(actor: Actor, entries: AuditQuery, add: AddParameter): string {
  return insertEntriesSql(
    {
      user_id: `${add(actor.userId)}::integer`,
      username: `${add(actor.username)}::text`,
      ip_address: `${add(actor.ipAddress)}::text`,
      request_id: `${add(actor.requestId)}::text`,
      batch_id: actor.batchId === undefined ? "NULL::text" : `${add(actor.batchId)}::text`,
      action_type: `${add(entries.action)}::text`,
      detail: `${add(entries.detail ?? null)}::text`,
      content_type_id: `${add(entries.contentTypeId)}::integer`,
      object_id: `(${entries.objectId})::text`,
      object_repr: entries.objectRepr,
      change_message: entries.message,
      changes: entries.changes,
    },
    entries.from,
  );
}

/** The fields in which two states of a row differ, by value. */
export function toChanges(before: Record<string, unknown>, after: Record<string, unknown>): Changes {
  const changes: Changes = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(after)])) {
    if (JSON.stringify(before[name]) !== JSON.stringify(after[name])) {
      changes[name] = { before: before[name], after: after[name] };
    }
  }
  return changes;
}

/** A person's own entries, newest first, from below the number `before`. */
export async function listOwnEntries(
  db: Queryable,
  userId: number,
  page: { before: number | null; limit: number },
): Promise<OwnEntry[]> {
  return selectOwnEntries(db, userId, page);
}

/** The entries of one object, also of one that is gone, newest first, from below the number `before`. */
export async function listObjectEntries(
  db: Queryable,
  object: { contentTypeId: number; objectId: number },
  page: { before: number | null; limit: number },
): Promise<ObjectEntry[]> {
  return selectObjectEntries(db, object, page);
}

/** Everything that the log keeps of and about a person, newest first. */
export async function listEntriesOf(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
  limit: number,
): Promise<FullEntry[]> {
  return selectFullEntries(db, person, limit);
}

/** Names in lower case that an account had, as the log has them. Read before the person is taken out of it. */
export async function listNamesOf(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
): Promise<PastName[]> {
  return selectNames(db, person);
}

/** What the log has of an address that belongs to no account: nobody's address is kept by a slip. */
const toDomainAlone = (typed: string): string => typed.replace(/^.*@/, "…@");

const ADDRESS = /^[^\s@]+@[a-z\d-]+(\.[a-z\d-]+)*\.[a-z]{2,}$/i;

/**
 * What the log calls somebody who signed in by a name that belongs to no account: of an address the domain, of anything else nothing.
 * People type passwords there.
 */
export const toUnknownName = (typed: string): string | null =>
  ADDRESS.test(typed.trim()) ? toDomainAlone(typed.trim()) : null;

/**
 * Takes a person out of the log: entries of and about them stay, under a pseudonym in place of what says who it was. `names` are those that they
 * sign in by, now or before; where one of them was typed at the log-in and belonged to no account, the pseudonym takes its place too.
 * Called in the transaction that deletes the account.
 */
export async function forgetPerson(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null; names: readonly string[] },
): Promise<void> {
  const domains = person.names.filter((name) => name.includes("@")).map(toDomainAlone);
  await blankEntries(db, { ...person, domains });
}

/**
 * Takes what says whom they are about out of the entries of some objects of a model (`mail.bounce`); that something happened
 * stays. Of entries that nobody signed in for, the network address was the person's own. Entries of other objects of the model
 * lose a message that holds one of the `words` (in lower case), such as an address.
 */
export async function forgetObjects(
  db: Queryable,
  modelKey: string,
  { ids, words }: { ids: readonly number[]; words: readonly string[] },
): Promise<void> {
  if (ids.length > 0) await blankObjects(db, modelKey, ids.map(String));
  if (words.length > 0) await blankMessages(db, modelKey, words);
}

const WORDS: Record<Language, string> = { en: en.deleted_account, tr: tr.deleted_account };
/** No username holds a blank, so that nobody can take a pseudonym for a name. */
const STORED = new RegExp(`^${WORDS.en} (\\d+)$`);

/** Who an account is to the log once it is deleted (`foyer_log_forget_person` writes it): its number, which no other account ever gets. */
export function toPseudonym(userId: number): string {
  return `${WORDS.en} ${userId}`;
}

/** A stored pseudonym in the reader's language; any other name as it is. */
export function toShownName<Name extends string | null>(name: Name, lang: Language): Name | string {
  const number = name === null ? undefined : STORED.exec(name)?.[1];
  return number === undefined ? name : `${WORDS[lang]} ${number}`;
}

/** Whom an entry calls the person with this number, where there is no account of theirs any more. */
export function toDeletedPerson(userId: number, lang: Language): { id: number; username: string } {
  return { id: userId, username: toShownName(toPseudonym(userId), lang) };
}
