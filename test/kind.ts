import type { Reader } from "#server/base/actor.ts";
import { AppError } from "#server/base/errors.ts";
import { toView } from "#server/content/records/access.ts";
import { parseValues } from "#server/content/write/values.ts";
import { quoteName } from "#server/db/sql.ts";
import { toFieldCondition } from "#server/models/condition.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import type { Field } from "#server/models/model.ts";
import { buildRegistry } from "#server/models/registry/registry.ts";
import { conditionSql } from "#server/models/row-sql.ts";
import { createTestDatabase } from "./database.ts";
import { EVERY_KIND_SQL, everything } from "./every-kind.ts";

/** One field of `test.everything` on a database of its own: what its kind accepts, stores, reads, finds and exports. */
export interface KindBench {
  field: Field;
  /** The checked value, or the codes of its faults as one text, such as `too_long`. */
  check(given: unknown): unknown;
  /** Puts a row in for each checked value; their ids count from 1. */
  store(values: readonly unknown[]): Promise<void>;
  run(statement: string): Promise<void>;
  /** Ids of the rows that a filter finds, or the code of the error that it is. */
  find(operator: string, value: unknown): Promise<number[] | string>;
  /** Ids in the order of the field. */
  sort(): Promise<number[]>;
  /** A stored value as a record has it, inside JSON, and as the columns of an export. */
  read(id: number): Promise<{ read: unknown; json: unknown; texts: Record<string, unknown> }>;
  close(): Promise<void>;
}

const READER: Reader = { lang: "en", level: 999, userId: null };

export async function openKind(name: string): Promise<KindBench> {
  const model = buildRegistry([...DECLARED, everything], new Map()).byKey.get("test.everything");
  const field = model?.fieldByName.get(name);
  if (!model || !field) throw new Error(`no field ${name}`);
  const view = toView(model, READER.level);
  const database = await createTestDatabase();
  await database.pool.query(EVERY_KIND_SQL);
  const { kind } = field;
  const column = field.sql("t");

  return {
    field,
    check(given) {
      try {
        return parseValues(view, { [name]: given }, "patch").get(field);
      } catch (error) {
        if (!(error instanceof AppError)) throw error;
        return error.fields.map((fault) => fault.code).join(" ");
      }
    },
    async store(values) {
      for (const value of values) {
        await database.pool.query(
          `INSERT INTO test_everything (title, ${quoteName(name)}) VALUES ('x', $1${kind.parameterCast})`,
          [value === null ? null : kind.toParameter(value)],
        );
      }
    },
    run: async (statement) => void (await database.pool.query(statement)),
    async find(operator, value) {
      const values: unknown[] = [];
      try {
        const condition = toFieldCondition(view.fieldByName, { field: name, operator, value });
        const sql = conditionSql(condition, "t", (added) => `$${values.push(added)}`, READER);
        const { rows } = await database.pool.query<{ id: number }>(
          `SELECT t.id FROM test_everything t WHERE ${sql} ORDER BY t.id`,
          values,
        );
        return rows.map((row) => row.id);
      } catch (error) {
        if (error instanceof AppError) return error.code;
        throw error;
      }
    },
    async sort() {
      const { rows } = await database.pool.query<{ id: number }>(
        `SELECT t.id FROM test_everything t ORDER BY ${kind.sortSql(column, "en")}, t.id`,
      );
      return rows.map((row) => row.id);
    },
    async read(id) {
      const columns = kind.exportColumns(column, field, READER);
      const texts = columns.map(({ sql, header }) => `${sql} AS ${quoteName(header)}`);
      const { rows } = await database.pool.query(
        `SELECT ${kind.readSql(column, field, READER)} AS "@read",
           json_build_object('value', ${(kind.jsonSql ?? kind.readSql)(column, field, READER)}) AS "@json", ${texts.join(", ")}
         FROM test_everything t WHERE t.id = $1`,
        [id],
      );
      const { "@read": read, "@json": json, ...exported } = rows[0];
      return { read, json: json.value, texts: exported };
    },
    close: database.close,
  };
}
