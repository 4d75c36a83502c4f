import type { FieldFault } from "#server/base/errors.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Actor } from "../base/actor.ts";

/** What a writer adds to the audit entry of its write: `permission_change` and the like. */
export interface WriteNote {
  detail?: string;
  /** The row was a person who is gone: the entry has this for its name, and none of its values. */
  pseudonym?: string;
  /** Once, after commit: files that no row names any more go. It logs its own failures. */
  afterCommit?(): Promise<void>;
}

/**
 * Writes rows of a model in the engine's place: a subject with rules of its own, such as accounts. Whichever endpoint is used,
 * its calls run inside the engine's transaction, on a row that the engine has locked, with values that the kinds have checked;
 * the engine writes the audit entry and publishes the change. A rule that forbids is an `AppError`.
 */
export interface RecordWriter {
  /**
   * First thing in the transaction, before the engine locks the rows: takes what has to be locked ahead of them, so that no
   * two transactions wait for each other. `ids` are all rows of the write, in order; `values` is empty for a deletion.
   */
  prepare(
    db: Queryable,
    operation: "update" | "delete",
    ids: readonly number[],
    values: ReadonlyMap<string, unknown>,
  ): Promise<void>;
  /** @returns the new row's id. */
  create(
    db: Queryable,
    values: ReadonlyMap<string, unknown>,
    actor: Actor,
  ): Promise<{ id: number } & WriteNote>;
  update(
    db: Queryable,
    id: number,
    values: ReadonlyMap<string, unknown>,
    actor: Actor,
  ): Promise<WriteNote | undefined>;
  delete(db: Queryable, id: number, actor: Actor): Promise<WriteNote | undefined>;
  /**
   * Faults of texts by rules of the subject's own, of a write that the kinds have refused already: the answer names all at
   * once. `given` is the body as it was sent. Without faults of the kinds the calls above throw theirs.
   */
  findFaults?(given: Readonly<Record<string, unknown>>): readonly FieldFault[];
  /** After commit: what this process has cached is dropped. */
  committed(): void;
}
