import type { SearchAnswer } from "#contract/content/lists.ts";
import type { DependentsAnswer, HistoryAnswer, HistoryEntry } from "#contract/content/objects.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import type { Caller } from "../base/actor.ts";
import { createGetDependents } from "./about/dependents.ts";
import { createGetHistory } from "./about/history.ts";
import { blankPerson, countJobs as countAllJobs } from "./bulk/job-store.ts";
import { type ContentReads, createContentReads, type ReadDeps } from "./list/reads.ts";
import { createMove, type Move } from "./order/move.ts";
import { toSeenChanges as pickSeenChanges } from "./records/access.ts";
import type { VersionedRecord as Versioned } from "./records/record.ts";
import { createSearchAll } from "./search/search-all.ts";
import { createReplaceFile } from "./write/replace-file.ts";
import { type ContentWrites, createContentWrites, type WriteDeps } from "./write/writes.ts";

/** What the endpoints of one object give back, for subjects with endpoints of their own. */
export type VersionedRecord = Versioned;

/** What the generic endpoints do, for their routes and for subjects with endpoints of their own over the same rows. */
export interface ContentService extends ContentReads, ContentWrites {
  move: Move;
  /** What a deletion would take along. */
  getDependents(contentTypeId: number, id: number, caller: Caller): Promise<DependentsAnswer>;
  getHistory(
    contentTypeId: number,
    id: number,
    page: { before: number | null; limit: number },
    caller: Caller,
  ): Promise<HistoryAnswer>;
  /** Puts one stored file in another one's place wherever it is used. */
  replaceFile: ReturnType<typeof createReplaceFile>;
  /** A few records of every model that the person may view. @throws AppError invalid_query. */
  searchAll(text: string, caller: Caller): Promise<SearchAnswer>;
}

/** What a level may see of an audit entry's changes. */
export function toSeenChanges(
  model: Model,
  level: number,
  changes: HistoryEntry["changes"] | null,
): HistoryEntry["changes"] {
  return pickSeenChanges(model, level, changes);
}

/** Called in the transaction that deletes an account, before its row goes. */
export async function forgetPerson(
  db: Queryable,
  person: { userId: number; contentTypeId: number | null },
): Promise<void> {
  await blankPerson(db, person);
}

/** Bulk jobs by their status. */
export function countJobs(db: Queryable): Promise<Record<string, number>> {
  return countAllJobs(db);
}

/** The generic endpoints over every declared model. */
export function createContentService(deps: ReadDeps & WriteDeps): ContentService {
  return {
    ...createContentReads(deps),
    ...createContentWrites(deps),
    getDependents: createGetDependents(deps),
    getHistory: createGetHistory(deps),
    move: createMove(deps),
    replaceFile: createReplaceFile(deps),
    searchAll: createSearchAll(deps),
  };
}
