import { spawn } from "node:child_process";
import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { selectTables, verifySchema } from "#server/db/verify.ts";
import * as tables from "#server/tables.ts";
import { createTestApp } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { STAFF_CONTENT } from "./declare.ts";
import { isSearchReady, patternSql, searchedSql } from "./filter-sql.ts";
import type { Model } from "./model.ts";
import { buildRegistry } from "./registry/registry.ts";
import { startSearchBuilds } from "./search-build.ts";

/** Of a table that counts as large here, and of one of its batches. */
const ROWS = 20_000;
const LARGE = { smallTableRows: 2_000, batchRows: 500 };
const NOTE_SQL = `CREATE TABLE test_note (
  id integer PRIMARY KEY GENERATED ALWAYS AS IDENTITY, title text NOT NULL, body text, views integer NOT NULL DEFAULT 0)`;

/** A table that was there, with its rows, before anybody wanted to search it. */
function declareNote(search: readonly string[] = ["title"]) {
  return {
    app: "test",
    name: "note",
    table: pgTable("test_note", {
      id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
      title: text("title").notNull(),
      body: text("body"),
      views: integer("views").notNull().default(0),
    }),
    labels: { en: "Note", tr: "Not" },
    pluralLabels: { en: "Notes", tr: "Notlar" },
    help: { en: "Notes of tests.", tr: "Test notları." },
    fields: {
      title: { kind: "text", labels: { en: "Title", tr: "Başlık" } },
      body: { kind: "long_text", labels: { en: "Body", tr: "Metin" } },
    },
    title: "title",
    list: ["title"],
    search,
    searchIsBuilt: true,
    defaultSort: [],
    access: STAFF_CONTENT,
  };
}

function openModel(search?: readonly string[]) {
  const registry = buildRegistry([declareNote(search)], new Map());
  const model = registry.byKey.get("test.note");
  if (!model) throw new Error("the registry has no test.note");
  return { registry, model };
}

let database: TestDatabase;
let warnings: string[];
beforeEach(async () => {
  warnings = [];
  database = await createTestDatabase();
  await database.pool.query(NOTE_SQL);
});
afterEach(() => database.close());

const log = {
  info: () => {},
  warn: ({ err }: { err?: Error }, message: string) =>
    void warnings.push(`${message}: ${err?.message ?? ""}`),
};

async function insertNotes(count: number): Promise<void> {
  await database.pool.query(
    "INSERT INTO test_note (title, body) SELECT 'Işık ' || n, 'GÖVDE ' || n FROM generate_series(1, $1) n",
    [count],
  );
  await database.pool.query("ANALYZE test_note");
}

function start(
  opened: ReturnType<typeof openModel>,
  pace: Parameters<typeof startSearchBuilds>[0]["pace"] = {},
) {
  return startSearchBuilds({
    pool: database.pool,
    registry: opened.registry,
    log,
    pace: { pause: async () => undefined, retryMs: 50, ...pace },
  });
}

async function search(model: Model, words: string): Promise<number> {
  const { rows } = await database.pool.query<{ n: number }>(
    `SELECT count(*)::int AS n FROM test_note t WHERE ${searchedSql(model, "t")} LIKE '%' || ${patternSql("$1")} || '%'`,
    [words],
  );
  return rows[0]?.n ?? -1;
}

async function readOne<Value>(sql: string): Promise<Value | undefined> {
  const { rows } = await database.pool.query<{ value: Value }>(sql);
  return rows[0]?.value;
}

const getLastId = () => readOne<string>("SELECT last_id AS value FROM search_build").then(Number);
const getIndexState = () =>
  readOne<boolean>(
    "SELECT indisvalid AS value FROM pg_index WHERE indexrelid = to_regclass('test_note_search_trgm')",
  );
const countUnfilled = () =>
  readOne<number>("SELECT count(*)::int AS value FROM test_note WHERE search IS NULL");
const countKilled = () =>
  readOne<number>(
    "SELECT count(*)::int AS value FROM pg_stat_activity WHERE application_name = 'killed build'",
  );
const waitUntil = async (isReached: () => Promise<boolean>) => {
  while (!(await isReached())) await new Promise((resolve) => setTimeout(resolve, 10));
};

/** A build that waits after its first batch until the test lets it go on. */
function createHold() {
  const paused = Promise.withResolvers<void>();
  const released = Promise.withResolvers<void>();
  const pause = () => {
    paused.resolve();
    return released.promise;
  };
  return { pause, isPaused: paused.promise, goOn: released.resolve };
}

test("a small table gets its column at once, and searches read it", async () => {
  await insertNotes(300);
  const opened = openModel();
  expect([isSearchReady(opened.model), await search(opened.model, "ISIK 29")]).toEqual([false, 11]);
  await start(opened).done;
  expect([isSearchReady(opened.model), searchedSql(opened.model, "t")]).toEqual([true, 't."search"']);
  expect([await search(opened.model, "ISIK 29"), await getIndexState(), warnings]).toEqual([11, true, []]);
});

test("a large table is filled in batches, and what is written meanwhile is found", async () => {
  await insertNotes(ROWS);
  const opened = openModel();
  const { pause, isPaused, goOn } = createHold();
  const builds = start(opened, { ...LARGE, pause });
  await isPaused;
  expect(isSearchReady(opened.model)).toBe(false);
  // Below what is filled, above it, and new.
  await database.pool.query("UPDATE test_note SET title = 'Çöp kutusu' WHERE id IN (1, $1)", [ROWS]);
  await database.pool.query("UPDATE test_note SET views = 7 WHERE id = $1", [ROWS - 1]);
  await database.pool.query("INSERT INTO test_note (title) VALUES ('çöp sepeti')");
  expect(await search(opened.model, "COP")).toBe(3);
  goOn();
  await builds.done;
  expect([await search(opened.model, "COP"), await search(opened.model, `ışık ${ROWS - 1}`)]).toEqual([3, 1]);
  expect([await countUnfilled(), await getIndexState(), warnings]).toEqual([0, true, []]);
  await database.pool.query("UPDATE test_note SET title = 'Sandık' WHERE id = 1");
  expect([await search(opened.model, "cop"), await search(opened.model, "SANDIK")]).toEqual([2, 1]);
});

/** Stops after its tenth batch, to be killed there. */
const CHILD = `
  import { createPool } from "#server/db/pool.ts";
  import { buildRegistry } from "#server/models/registry/registry.ts";
  import { startSearchBuilds } from "#server/models/search-build.ts";
  import { integer, pgTable, text } from "drizzle-orm/pg-core";
  const { connection, declaration, pace } = JSON.parse(process.env.FOYER_TEST_BUILD);
  const table = pgTable("test_note", {
    id: integer("id").primaryKey().generatedAlwaysAsIdentity(),
    title: text("title").notNull(), body: text("body"), views: integer("views").notNull().default(0),
  });
  const pool = createPool(connection, { name: "killed build", max: 2, onError() {} });
  const registry = buildRegistry([{ ...declaration, table }], new Map());
  let batches = 0;
  const stay = () => new Promise(() => setInterval(() => {}, 1000));
  const pause = async () => ++batches < 10 || stay();
  await startSearchBuilds({ pool, registry, log: { info() {}, warn: console.error }, pace: { ...pace, pause } }).done;
  await pool.end();`;

/** The same build in a process of its own. */
function startChild(pace: object) {
  const { table: _, ...declaration } = declareNote();
  const setting = { connection: database.connection, declaration, pace: { retryMs: 50, ...pace } };
  return spawn(process.execPath, ["--input-type=module", "--eval", CHILD], {
    env: { ...process.env, NODE_OPTIONS: "", FOYER_TEST_BUILD: JSON.stringify(setting) },
    stdio: ["ignore", "ignore", "inherit"],
  });
}

test("a build whose process was killed goes on where it was, and no row is filled twice", async () => {
  await insertNotes(ROWS);
  const child = startChild(LARGE);
  const ended = once(child, "exit");
  await waitUntil(async () => child.exitCode !== null || (await getLastId()) >= 10 * LARGE.batchRows);
  child.kill("SIGKILL");
  expect(await ended).toEqual([null, "SIGKILL"]);
  // PostgreSQL ends the batch at hand before it sees that nobody is there.
  await waitUntil(async () => (await countKilled()) === 0);
  const reached = await getLastId();
  expect(reached).toBeLessThan(ROWS);
  expect(await countUnfilled()).toBe(ROWS - reached);
  const version = await readOne<string>("SELECT xmin::text AS value FROM test_note WHERE id = 1");

  const opened = openModel();
  await start(opened, LARGE).done;
  expect([await countUnfilled(), await getIndexState(), warnings]).toEqual([0, true, []]);
  expect(await readOne<string>("SELECT xmin::text AS value FROM test_note WHERE id = 1")).toBe(version);
  expect(await search(opened.model, "ISIK 19999")).toBe(1);
});

test("an index that a crash left unusable is built again", async () => {
  await insertNotes(300);
  await start(openModel()).done;
  await database.damage(
    `UPDATE pg_index SET indisvalid = false WHERE indexrelid = 'test_note_search_trgm'::regclass;
     UPDATE search_build SET is_ready = false`,
  );
  await start(openModel(), { smallTableRows: 10 }).done;
  expect([await getIndexState(), warnings]).toEqual([true, []]);
});

test("two processes build a column once, and both come to know of it", async () => {
  await insertNotes(6_000);
  const [one, two] = [openModel(), openModel()];
  await Promise.all([start(one, LARGE).done, start(two, LARGE).done]);
  expect([isSearchReady(one.model), isSearchReady(two.model), await countUnfilled()]).toEqual([
    true,
    true,
    0,
  ]);
  expect(warnings).toEqual([]);
});

test("another list of fields begins anew", async () => {
  await insertNotes(300);
  await start(openModel()).done;
  const opened = openModel(["title", "body"]);
  expect([isSearchReady(opened.model), await search(opened.model, "govde 29")]).toEqual([false, 11]);
  await start(opened).done;
  expect([isSearchReady(opened.model), await search(opened.model, "govde 29")]).toEqual([true, 11]);
  expect(await getIndexState()).toBe(true);
});

test("a table that others hold is tried again, and they are not kept waiting", async () => {
  await insertNotes(300);
  const holder = await database.pool.connect();
  await holder.query("BEGIN; LOCK TABLE test_note IN ROW EXCLUSIVE MODE");
  const opened = openModel();
  const builds = start(opened);
  await waitUntil(async () => warnings.length > 0);
  expect(warnings[0]).toMatch(/lock timeout/);
  await holder.query("COMMIT");
  holder.release();
  await builds.done;
  expect(isSearchReady(opened.model)).toBe(true);
});

test("close ends a build within its batch, and the next start ends it", async () => {
  await insertNotes(ROWS);
  const { pause, isPaused, goOn } = createHold();
  const builds = start(openModel(), { ...LARGE, pause });
  await isPaused;
  const closed = builds.close();
  goOn();
  await closed;
  await builds.done;
  expect(await getLastId()).toBeLessThan(ROWS);
  const opened = openModel();
  await start(opened, LARGE).done;
  expect([isSearchReady(opened.model), await countUnfilled(), warnings]).toEqual([true, 0, []]);
});

test("a list is searched before the column is ready, and after", async () => {
  const site = await createTestApp({
    extraModels: [declareNote()],
    setUpSql: `${NOTE_SQL}; INSERT INTO test_note (title) VALUES ('Işık'), ('Çöp')`,
  });
  try {
    const { authorization } = await site.signInAs(10);
    const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'note'");
    const url = `/api/admin/models/${rows[0].id}/objects/?search=ISIK`;
    const readTitles = async () => {
      const answer = await site.app.inject({ url, headers: { authorization } });
      return answer.json<{ objects: { title: string }[] }>().objects.map(({ title }) => title);
    };
    expect(await readTitles()).toEqual(["Işık"]);
    await site.app.listen({ port: 0 });
    const isReady = () =>
      site.database.pool
        .query("SELECT FROM search_build WHERE is_ready")
        .then(({ rowCount }) => rowCount === 1);
    await waitUntil(isReady);
    expect(await readTitles()).toEqual(["Işık"]);
  } finally {
    await site.close();
  }
});

test("the comparison of the catalog doesn't mind what was built", async () => {
  await insertNotes(300);
  await start(openModel()).done;
  await expect(verifySchema(database.pool, selectTables(tables))).resolves.toEqual([]);
});
