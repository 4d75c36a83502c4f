import { getTableName } from "drizzle-orm";
import { openChangeFeed } from "#server/db/change-feed.ts";
import { DECLARED } from "#server/models/declared/all.ts";
import { ensureContentTypes } from "#server/models/registry/registry.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { notifyChange } from "../db/change-notices.ts";
import { applyFirstStart } from "./first-start.ts";
import { CV_MODELS, findModels } from "./store.ts";

/** Bytes of files in memory. */
export class MemoryStorage {
  readonly files = new Map<string, Uint8Array>();
  async put(key: string, content: Uint8Array): Promise<void> {
    this.files.set(key, content);
  }
  async delete(key: string): Promise<void> {
    this.files.delete(key);
  }
}

export interface SampleSite {
  database: TestDatabase;
  storage: MemoryStorage;
  /** What a start of the server does. */
  start(): ReturnType<typeof applyFirstStart>;
  /** The first column of each row. */
  readColumn(sql: string, values?: unknown[]): Promise<unknown[]>;
  count(table: string): Promise<number>;
  /** Keys of the models of which every process gets a notice while `work` runs. */
  receive(work: () => Promise<unknown>): Promise<string[]>;
}

/** A new database as the server finds it before its first start. */
export async function createSampleSite(): Promise<SampleSite> {
  const database = await createTestDatabase();
  await ensureContentTypes(database.pool, DECLARED);
  const storage = new MemoryStorage();
  const readColumn = async (sql: string, values: unknown[] = []) => {
    const { rows } = await database.pool.query<unknown[]>({ text: sql, values, rowMode: "array" });
    return rows.map(([value]) => value);
  };
  return {
    database,
    storage,
    start: () => applyFirstStart(database.pool, storage),
    readColumn,
    async receive(work) {
      const received = new Set<string>();
      const feed = await openChangeFeed(database.connection, { warn: () => undefined });
      feed.subscribe((key) => key !== undefined && received.add(key));
      await work();
      // Notices come in the order of their commits: when this one is here, the others were.
      await notifyChange(database.pool, "end");
      while (!received.delete("end")) await new Promise((resolve) => setTimeout(resolve, 5));
      await feed.close();
      return [...received].sort();
    },
    count: async (table) => Number((await readColumn(`SELECT count(*) FROM ${table}`))[0]),
  };
}

/** Tables of the sample content, in the order of its models. */
export const CV_TABLES: readonly string[] = findModels(CV_MODELS).map(({ declaration }) =>
  getTableName(declaration.table),
);
