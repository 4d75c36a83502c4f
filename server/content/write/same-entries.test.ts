import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { insertAccount } from "#server/accounts/store.ts";
import type { Caller } from "#server/base/actor.ts";
import { toReader } from "#server/base/actor.ts";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import type { ModelDeclaration } from "#server/models/declare.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { RecordWriter } from "#server/models/record-writer.ts";
import { buildRegistry, ensureContentTypes } from "#server/models/registry/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { EVERY_KIND_SQL, everyKindRow, everything } from "#test/every-kind.ts";
import { createApplyRows } from "../bulk/apply.ts";
import { parseTask } from "../bulk/task.ts";
import type { VersionedRecord } from "../records/record.ts";
import { columnSql, toTerms } from "./judge-sql.ts";
import { createContentWrites } from "./writes.ts";

/*
 * A write of one row or of many, by a statement or by a subject: the log has the same entry of each, for every kind of field.
 */

const owner = { kind: "relation", labels: everything.labels, related: "accounts.user", person: true };
const declaration: ModelDeclaration = { ...everything, fields: { ...everything.fields, owner } };
const declarations = [...DECLARED, declaration];

/** Two rows' values, those of everyKindRow and of the fields that it leaves out. */
const toRow = (i: number) => ({
  ...everyKindRow(i),
  file: i === 1 ? everyKindRow(1).file : null,
  is_private: i === 1,
  hidden: `hidden ${i}`,
  locked: `locked ${i}`,
  relation: i,
  relation_many: i === 1 ? [2] : [1, 3],
  owner: i === 1 ? userId : null,
});

let userId: number;
let database: TestDatabase;
let caller: Caller;
let model: Model;
let ways: Record<string, Way>;
/** The first way's first row, as it is. */
let read: () => Promise<VersionedRecord["record"]>;

/** One way to write: it has rows of its own, which always are what the other ways' rows are. */
interface Way {
  /** How many rows it has. */
  rows: number;
  ids: number[];
  create(body: Record<string, unknown>): Promise<VersionedRecord>;
  update(body: Record<string, unknown>): Promise<void>;
  delete(): Promise<void>;
}

/** A subject's writer that does what is asked, by statements of its own. */
const writer: RecordWriter = {
  prepare: async () => {},
  async create(db, named) {
    const { rows } = await db.query("INSERT INTO test_everything (title) VALUES ('new') RETURNING id");
    const { id } = rows[0];
    await writeNamed(db, id, named);
    return { id };
  },
  update: (db, id, named) => writeNamed(db, id, named).then(() => undefined),
  async delete(db, id) {
    await db.query("DELETE FROM test_everything_link WHERE from_id = $1", [id]);
    await db.query("DELETE FROM test_everything WHERE id = $1", [id]);
    return undefined;
  },
  committed: () => {},
};

async function writeNamed(db: Queryable, id: number, named: ReadonlyMap<string, unknown>): Promise<void> {
  const given = model.fields.flatMap((field) =>
    named.has(field.name) ? [[field, named.get(field.name)] as const] : [],
  );
  for (const [field, value] of given) {
    const values: unknown[] = [id];
    const [term] = toTerms(new Map([[field, value]]), (added) => `$${values.push(added)}`);
    if (!field.through) {
      const set = `${columnSql(field)} = ${term?.sql}, updated_at = now() + interval '1 hour'`;
      await db.query(`UPDATE test_everything SET ${set} WHERE id = $1`, values);
      continue;
    }
    await db.query("DELETE FROM test_everything_link WHERE from_id = $1", [id]);
    await db.query(`INSERT INTO test_everything_link SELECT $1, unnest(${term?.sql})`, values);
  }
}

/** A row doesn't go before its links: that they go is the write's to see to. */
const LINKS_STAY_SQL = `ALTER TABLE test_everything_link DROP CONSTRAINT test_everything_link_from_id_fkey,
  ADD FOREIGN KEY (from_id) REFERENCES test_everything(id)`;

const files = { checkAccepted: async () => {} };
const announcing = {
  feed: { announce: () => {} },
  notices: { publish: () => {} },
  requireRecent: async () => {},
};

async function readEntries(ids: readonly number[]) {
  const { rows } = await database.pool.query(
    `SELECT DISTINCT ON (object_id) user_id, username, ip_address, request_id, action_type, content_type_id, object_repr,
       change_message, changes FROM audit_entry
     WHERE content_type_id = $1 AND object_id = ANY($2::text[]) ORDER BY object_id, id DESC`,
    [model.contentTypeId, ids.map(String)],
  );
  expect(rows).toHaveLength(ids.length);
  return rows;
}

/** The last entries of all ways' rows are one and the same. */
async function requireSameEntry() {
  const entries = new Map<string, unknown[]>();
  for (const [name, { ids }] of Object.entries(ways)) entries.set(name, await readEntries(ids));
  const first = entries.get("a statement")?.[0];
  for (const [name, found] of entries)
    for (const entry of found) expect({ name, entry }).toEqual({ name, entry: first });
  return first as { action_type: string; change_message: string; changes: Record<string, object> };
}

beforeAll(async () => {
  database = await createTestDatabase();
  const { pool } = database;
  await pool.query(EVERY_KIND_SQL);
  await pool.query(LINKS_STAY_SQL);
  const types = await ensureContentTypes(pool, declarations);
  const registry = buildRegistry(declarations, types);
  model = registry.models.find(({ key }) => key === "test.everything") as Model; // declared above
  const account = { username: "ada", email: "ada@example.org", passwordHash: "x", level: 999 };
  userId = (await insertAccount(pool, account)).id;
  const where = { ipAddress: "192.0.2.1", requestId: "request" };
  caller = { actor: { userId, username: "ada", level: 999, ...where }, lang: "en" };
  const deps = { pool, registry, files, ...announcing };
  const at = model.contentTypeId;

  const toSingle = (writers: ReadonlyMap<string, RecordWriter>): Way => {
    const writes = createContentWrites({ ...deps, writers });
    const ids: number[] = [];
    return {
      rows: 1,
      ids,
      create: (body) => writes.create(at, body, caller),
      async update(body) {
        for (const id of ids) await writes.update(at, id, body, { mode: "patch" }, caller);
      },
      async delete() {
        for (const id of ids) await writes.delete(at, id, {}, caller);
      },
    };
  };
  const toBulk = (writers: ReadonlyMap<string, RecordWriter>): Way => {
    const single = toSingle(writers);
    const run = (request: { operation: "update" | "delete"; data: Record<string, unknown> }) =>
      withTransaction(pool, async (client) => {
        const person = { actor: caller.actor, reader: toReader(caller), snapshot: null };
        const task = parseTask(model, { ...request, object_ids: single.ids, exclude_ids: [] }, person);
        const outcomes = await createApplyRows(writers)(client, task, {});
        expect(outcomes.map(({ verdict }) => verdict.type)).toEqual(single.ids.map(() => "written"));
      });
    return {
      ...single,
      rows: 2,
      update: (data) => run({ operation: "update", data }),
      delete: () => run({ operation: "delete", data: {} }),
    };
  };
  const subject = new Map([[model.key, writer]]);
  ways = {
    "a statement": toSingle(new Map()),
    "a statement for many": toBulk(new Map()),
    "a subject": toSingle(subject),
    "a subject for many": toBulk(subject),
  };
  read = async () => {
    const [id = 0] = ways["a statement"]?.ids ?? [];
    const writes = createContentWrites({ ...deps, writers: new Map() });
    return (await writes.update(at, id, {}, { mode: "patch" }, caller)).record;
  };
  // Rows 1 to 3 are there to be referred to.
  for (const i of [1, 2, 3]) await ways["a statement"]?.create(everyKindRow(i));
});
afterAll(() => database.close());

/** A field's value as the log has it, from a record. */
function toShown({ name, isSecret, isPerson }: Field, record: VersionedRecord["record"]): unknown {
  const value = record[name] as { id: number } | null;
  if (value === null) return null;
  return isSecret ? "•••" : isPerson ? { id: value.id, repr: `#${value.id}` } : value;
}

test("of a new row", async () => {
  for (const way of Object.values(ways)) {
    for (let i = 0; i < way.rows; i++) way.ids.push((await way.create(toRow(1))).record.id);
  }
  const { action_type, change_message, changes } = await requireSameEntry();
  expect([action_type, change_message]).toEqual(["CREATE", "Created"]);
  const given = model.fields.filter(({ isReadOnly }) => !isReadOnly);
  expect(Object.keys(changes).sort()).toEqual(given.map(({ name }) => name).sort());
});

const NAMES = Object.entries(everything.fields).flatMap(([name, { kind, readOnly }]) =>
  readOnly || kind === "computed" ? [] : [name],
);

test.each(NAMES)("of a changed %s, of one that is emptied, and of one that was empty", async (name) => {
  const field = model.fieldByName.get(name) as Field; // declared
  const empties = field.isNullable || field.through ? [null] : [];
  const [one, two] = [toRow(1), toRow(2)].map(
    (row) => Object.entries(row).find(([key]) => key === name)?.[1],
  );
  let last = await read();
  for (const value of [two, ...empties, one]) {
    if (value === null && last[name] === null) continue;
    for (const way of Object.values(ways)) await way.update({ [name]: value });
    const next = await read();
    expect(await requireSameEntry()).toMatchObject({
      action_type: "UPDATE",
      change_message: field.viewLevel > 10 ? "Changed" : `Changed ${name}`,
      changes: { [name]: { before: toShown(field, last), after: toShown(field, next) } },
    });
    last = next;
  }
});

test("of several changed fields at once", async () => {
  for (const way of Object.values(ways)) await way.update(toRow(2));
  const { changes } = await requireSameEntry();
  expect(Object.keys(changes).sort()).toEqual([...NAMES].sort());
});

test("of a row that goes", async () => {
  await database.pool.query(
    "UPDATE test_everything SET created_at = '2026-01-01', updated_at = '2026-01-02'",
  );
  for (const way of Object.values(ways)) await way.delete();
  const { action_type, changes } = await requireSameEntry();
  expect(action_type).toBe("DELETE");
  expect(changes.relation_many).toEqual({
    before: [1, 3].map((id) => ({ id, repr: everyKindRow(id).title })),
  });
});
