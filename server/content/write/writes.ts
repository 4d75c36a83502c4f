import { isDeepStrictEqual } from "node:util";
import type pg from "pg";
import { type Caller, toReader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { type Notices, notifyChange, type RowChange, toRowChange } from "#server/db/change-notices.ts";
import { withRetriedTransaction } from "#server/db/transaction.ts";
import type { FileService } from "#server/files/service.ts";
import type { Floor } from "#server/floor.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { asksStepUp, type ModelView, requireModel, toView } from "../records/access.ts";
import { etagSql, parseIfMatch, type VersionedRecord } from "../records/record.ts";
import { toNamed, type WriterOutcome, writeByWriter } from "./by-writer.ts";
import { nameTable, toWriteError } from "./database-faults.ts";
import { differsSql, type Reason, type Refuse, type Values, valueSql } from "./judge-sql.ts";
import {
  findUnseen,
  isNewlyUnseenSql,
  parseUnwritable,
  parseValues,
  toUnseenFault,
  toUnwritableFault,
  type Unseen,
} from "./values.ts";
import { NOTICES, type OneWrite, type WriteOutcome, writeOne } from "./write-one.ts";

export interface WriteDeps extends Pick<Floor, "requireRecent"> {
  pool: pg.Pool;
  registry: Registry;
  files: Pick<FileService, "checkAccepted">;
  feed: Pick<ChangeFeed, "announce">;
  notices: Pick<Notices, "publish">;
  /** By the key of the model whose rows they write. */
  writers: ReadonlyMap<string, RecordWriter>;
}

/** The calls that write one object. */
export interface ContentWrites {
  create(contentTypeId: number, body: Record<string, unknown>, caller: Caller): Promise<VersionedRecord>;
  /** `replace` empties what the body doesn't name. `ifMatch`: ETags, or `*`; a stale one is `stale_write`. */
  update(
    contentTypeId: number,
    id: number,
    body: Record<string, unknown>,
    options: { mode: "replace" | "patch"; ifMatch?: string | undefined },
    caller: Caller,
  ): Promise<VersionedRecord>;
  delete(
    contentTypeId: number,
    id: number,
    options: { ifMatch?: string | undefined },
    caller: Caller,
  ): Promise<void>;
}

/** What is known of a write of one row before the row is read. */
interface OneRow {
  view: ModelView;
  operation: "create" | "update" | "delete";
  caller: Caller;
  id: number;
  values: Values;
  unwritable: Values;
  unseen: Unseen;
  ifMatch: string[] | undefined;
  /** As it was sent. */
  body: Record<string, unknown>;
}

/** Why the row is left alone, besides the rules of its model. */
type RowRefusal =
  /** It isn't the version that `If-Match` names. */
  | { type: "stale" }
  /** A field that may not be written was sent with another value. */
  | { type: "kept"; field: Field }
  /** A relation would newly name rows that the person doesn't meet. */
  | { type: "unmet"; field: Field };

function toRefuse({ view, unwritable, unseen, ifMatch }: OneRow): Refuse<RowRefusal> {
  return (alias, add): Reason<RowRefusal>[] => [
    ...(ifMatch
      ? [
          {
            verdict: { type: "stale" } as const,
            sql: `${etagSql(view, alias)} <> ALL(${add(ifMatch)}::text[])`,
          },
        ]
      : []),
    ...Array.from(unwritable, ([field, value]) => ({
      verdict: { type: "kept", field } as const,
      sql: differsSql(field, alias, valueSql(field, value, add)),
    })),
    ...Array.from(unseen, ([field, ids]) => ({
      verdict: { type: "unmet", field } as const,
      sql: isNewlyUnseenSql(field, ids, alias, add),
    })),
  ];
}

/** What came of a write, as its answer or its error. */
function toAnswer(
  row: OneRow,
  outcome: WriteOutcome<RowRefusal> | undefined,
): VersionedRecord & { isWritten: boolean } {
  if (!outcome) throw new AppError("object_not_found");
  const { verdict, record, etag } = outcome;
  switch (verdict.type) {
    case "written":
    case "unchanged":
      return { record, etag, isWritten: verdict.type === "written" };
    case "forbidden":
      throw new AppError("permission_denied");
    case "stale":
      throw new AppError("stale_write", {
        extra: { current: record, current_etag: etag, submitted: row.body },
      });
    case "kept":
      throw new AppError("validation_failed", { fields: [toUnwritableFault(verdict.field)] });
    case "unmet":
      throw new AppError("validation_failed", { fields: [toUnseenFault(verdict.field)] });
  }
}

/** Names of the fields that a change has changed. */
function listChanged({ fields }: ModelView, { before, record }: WriterOutcome<RowRefusal>): string[] {
  return fields.map(({ name }) => name).filter((name) => !isDeepStrictEqual(before?.[name], record[name]));
}

/** Each write commits the row, its audit entry and the notice together. */
export function createContentWrites(deps: WriteDeps): ContentWrites {
  const { pool, registry, files, feed, notices, writers, requireRecent } = deps;

  const checkFiles = async (values: ReadonlyMap<Field, unknown>) => {
    for (const [field, value] of values) {
      if (field.kind.holdsFile && value !== null)
        await files.checkAccepted(String(value), field.name, field.accept);
    }
  };

  /** A large model's notice goes out behind the commit: see `Notices`. */
  const publishAfter = (model: Model, change: RowChange) => {
    if (model.isLarge) notices.publish(model.key, change);
    feed.announce(model.key);
  };

  /** Asked last, of what is written already: whoever may not do it is told so, and what is typed wrongly is mended first. */
  const writeWith = async (writer: RecordWriter, write: OneWrite<RowRefusal>) => {
    const { view, operation, id, values } = write;
    const outcome = await withRetriedTransaction(pool, async (client) => {
      if (operation !== "create") await writer.prepare(client, operation, [id], toNamed(values));
      const written = await writeByWriter(client, { ...write, writer });
      if (
        written?.verdict.type === "written" &&
        asksStepUp(view.model, operation, listChanged(view, written))
      )
        await requireRecent(write.actor, client);
      if (written?.verdict.type === "written" && !view.model.isLarge)
        await notifyChange(client, view.model.key, toRowChange(NOTICES[operation], [written.record.id]));
      return written;
    });
    if (outcome?.verdict.type === "written") writer.committed();
    await outcome?.afterCommit?.();
    return outcome;
  };

  /** Caches of this process have dropped the model before the answer goes out: the writer never reads the state before. */
  const writeRow = async (row: OneRow): Promise<VersionedRecord> => {
    const { caller, view, operation, id, values } = row;
    const { model } = view;
    const one = { view, reader: toReader(caller), actor: caller.actor, operation, id, values };
    const write = { ...one, refuse: toRefuse(row) };
    const writer = writers.get(model.key);
    try {
      const names = [...values.keys()].map(({ name }) => name);
      if (!writer && asksStepUp(model, operation, names)) await requireRecent(caller.actor);
      const outcome = await (writer ? writeWith(writer, write) : writeOne(pool, write));
      const { isWritten, ...answer } = toAnswer(row, outcome);
      if (isWritten) publishAfter(model, toRowChange(NOTICES[operation], [answer.record.id]));
      return answer;
    } catch (error) {
      const what = operation === "delete" ? "delete" : "write";
      throw toWriteError(error, model, what, (table) => nameTable(registry, table, caller));
    }
  };

  const open = (contentTypeId: number, operation: OneRow["operation"], caller: Caller): ModelView => {
    const model = requireModel(registry, contentTypeId, operation, caller.actor);
    return toView(model, caller.actor.level);
  };

  return {
    async create(contentTypeId, body, caller) {
      const view = open(contentTypeId, "create", caller);
      // A new row has nothing to keep: what may not be written may not be chosen either.
      const chosen = [...parseUnwritable(view, body)].filter(([, value]) => value !== null);
      if (chosen.length > 0)
        throw new AppError("validation_failed", {
          fields: chosen.map(([field]) => toUnwritableFault(field)),
        });
      const values = parseValues(view, body, "create", writers.get(view.model.key)?.findFaults);
      await checkFiles(values);
      const unseen = await findUnseen(pool, values, toReader(caller));
      if (unseen.size > 0)
        throw new AppError("validation_failed", { fields: [...unseen.keys()].map(toUnseenFault) });
      for (const field of view.model.fields) if (field.isAuthor) values.set(field, caller.actor.userId);
      const none = { id: 0, unwritable: new Map(), unseen, ifMatch: undefined };
      return writeRow({ ...none, view, operation: "create", caller, values, body });
    },

    async update(contentTypeId, id, body, { mode, ifMatch }, caller) {
      const view = open(contentTypeId, "update", caller);
      const values = parseValues(view, body, mode, writers.get(view.model.key)?.findFaults);
      const unwritable = parseUnwritable(view, body);
      await checkFiles(values);
      const unseen = await findUnseen(pool, values, toReader(caller));
      const tags = parseIfMatch(ifMatch);
      return writeRow({
        view,
        operation: "update",
        caller,
        id,
        values,
        unwritable,
        unseen,
        ifMatch: tags,
        body,
      });
    },

    async delete(contentTypeId, id, { ifMatch }, caller) {
      const view = open(contentTypeId, "delete", caller);
      const none = { values: new Map(), unwritable: new Map(), unseen: new Map(), body: {} };
      await writeRow({ ...none, view, operation: "delete", caller, id, ifMatch: parseIfMatch(ifMatch) });
    },
  };
}
