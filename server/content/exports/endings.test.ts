import { createHash, randomUUID } from "node:crypto";
import { get as httpGet, type IncomingMessage } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { createSharedLeases } from "#server/db/leases/shared-leases.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { deleteOldExports, failLeftExports } from "./service.ts";

const ROWS = 20_000;
/** Rows before the one whose value can't be computed: some megabytes. */
const BROKEN_ROW = 15_000;

/** The article with a field that no export gets past, and one that PostgreSQL takes its time for. */
const broken = {
  ...article,
  fields: {
    ...article.fields,
    quotient: {
      kind: "computed",
      of: "integer",
      sql: `(1 / ({row}.id - ${BROKEN_ROW}))`,
      labels: { en: "Quotient", tr: "Bölüm" },
      viewLevel: 999,
    },
    nap: {
      kind: "computed",
      of: "integer",
      sql: "(SELECT {row}.id FROM pg_sleep(100000))",
      labels: { en: "Nap", tr: "Uyku" },
      viewLevel: 999,
    },
  },
};

let site: TestApp;
let owner: { authorization: string; userId: number };
let staff: { authorization: string; userId: number };
let origin: string;
let path: string;

beforeAll(async () => {
  // With statistics, which come when they come, PostgreSQL may sort, and then meets the broken row before it gives the first.
  const setUpSql = `${ARTICLE_SQL}; ALTER TABLE test_article SET (autovacuum_enabled = off)`;
  site = await createTestApp({ extraModels: [broken], setUpSql });
  owner = await site.signInAs(999);
  staff = await site.signInAs(10);
  await site.database.pool.query(
    // Text that hardly compresses: megabytes are on their way before the broken row is reached, in every format.
    `INSERT INTO test_article (title, body)
     SELECT 'Article ' || i, (SELECT string_agg(md5((i * 100 + n)::text), '') FROM generate_series(1, 40) n)
     FROM generate_series(1, $1::integer) i`,
    [ROWS],
  );
  origin = await site.app.listen({ port: 0, host: "127.0.0.1" });
  const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'article'");
  path = `/api/admin/models/${rows[0].id}/objects/export/`;
});
afterAll(() => site.close());

async function request(query: string, as = staff): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: as.authorization };
    httpGet(`${origin}${path}?${query}`, { headers, agent: false }, resolve).on("error", reject);
  });
}

const toId = (answer: IncomingMessage) => String(answer.headers["x-export-id"]);

async function readInfo(id: string, as = staff) {
  const answer = await site.app.inject({
    url: `/api/admin/exports/${id}/`,
    headers: { authorization: as.authorization },
  });
  return { status: answer.statusCode, info: answer.json() };
}

/** The status once the export is over. */
async function waitForEnd(id: string): Promise<string> {
  for (;;) {
    const { info } = await readInfo(id, owner);
    if (info.status !== "running") return info.status;
    await sleep(20);
  }
}

async function countBackends(): Promise<number> {
  const { rows } = await site.database.pool.query<{ count: string }>(
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND state = 'active' AND query LIKE 'COPY (%'",
  );
  return Number(rows[0]?.count);
}

async function waitForNoBackend(): Promise<void> {
  while ((await countBackends()) > 0) await sleep(20);
}

test.each([
  ["csv", ROWS],
  ["json", ROWS],
  ["ndjson", ROWS],
  ["xlsx", ROWS],
])(
  "a whole %s is described with its rows, bytes and SHA-256 as soon as its reader has it",
  async (format, rowCount) => {
    const answer = await request(`format=${format}`);
    expect(answer.statusCode).toBe(200);
    const hash = createHash("sha256");
    let bytes = 0;
    for await (const chunk of answer) {
      hash.update(chunk);
      bytes += chunk.length;
    }
    const { info } = await readInfo(toId(answer));
    expect(info).toMatchObject({
      status: "complete",
      format,
      row_count: rowCount,
      byte_count: bytes,
      sha256: hash.digest("hex"),
      file_name: expect.stringMatching(new RegExp(`^test-article-\\d{4}-\\d\\d-\\d\\d\\.${format}$`)),
    });
    expect(answer.headers["content-disposition"]).toBe(`attachment; filename="${info.file_name}"`);
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(Date.parse(info.finished_at)).toBeGreaterThanOrEqual(Date.parse(info.created_at));
  },
);

test.each(["csv", "json", "ndjson", "xlsx"])(
  "a fault in the middle of %s ends the connection with an error, and is reported",
  async (format) => {
    const answer = await request(`format=${format}&columns=id,body,quotient`, owner);
    expect(answer.statusCode).toBe(200);
    let bytes = 0;
    const read = async () => {
      for await (const chunk of answer) bytes += chunk.length;
    };
    await expect(read()).rejects.toMatchObject({ code: "ECONNRESET" });
    expect(answer.complete).toBe(false);
    expect(bytes).toBeGreaterThan(0);
    expect(await waitForEnd(toId(answer))).toBe("failed");
    const { info } = await readInfo(toId(answer), owner);
    expect(info).toMatchObject({ row_count: null, byte_count: null, sha256: null });
    await waitForNoBackend();
  },
);

test("a fault before the first row is an error like any other", async () => {
  const query = `sort[0][field]=views&filters[0][field]=id&filters[0][value]=${BROKEN_ROW}`;
  for (const format of ["csv", "json", "ndjson", "xlsx"]) {
    const answer = await request(`format=${format}&columns=quotient&${query}`, owner);
    expect(answer.statusCode).toBe(500);
    expect(answer.headers["content-disposition"]).toBeUndefined();
    expect(JSON.parse((await answer.toArray()).join(""))).toMatchObject({ code: "internal" });
  }
});

test("50 readers who leave keep no backend and no connection", async () => {
  const answers = await Promise.all(
    Array.from({ length: 50 }, async (_, i) => {
      const answer = await request(`format=${["csv", "json", "ndjson", "xlsx"][i % 4]}`);
      await new Promise((resolve) => answer.once("readable", resolve));
      answer.on("error", () => undefined);
      answer.destroy();
      return toId(answer);
    }),
  );
  for (const id of answers) expect(await waitForEnd(id)).toBe("abandoned");
  await waitForNoBackend();
  const { exportPool: pool } = site;
  while (pool.idleCount < pool.totalCount) await sleep(20);
  expect(pool.waitingCount).toBe(0);
  const whole = await request("format=csv&columns=id");
  expect((await whole.toArray()).join("").split("\n")).toHaveLength(ROWS + 2);
});

test("a reader who leaves before PostgreSQL has a row frees its backend", async () => {
  const leaving = httpGet(`${origin}${path}?format=json&columns=nap`, {
    headers: { authorization: owner.authorization },
  }).on("error", () => undefined);
  while ((await countBackends()) === 0) await sleep(20);
  leaving.destroy();
  await waitForNoBackend();
  const { rows } = await site.database.pool.query(
    "SELECT id FROM content_export ORDER BY created_at DESC LIMIT 1",
  );
  expect(await waitForEnd(rows[0].id)).toBe("abandoned");
});

test("the log has an entry with the export's number before the first byte", async () => {
  const answer = await request("format=ndjson&columns=id");
  const { rows } = await site.database.pool.query(
    "SELECT * FROM audit_entry WHERE changes #>> '{export_id,after}' = $1",
    [toId(answer)],
  );
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatchObject({
    action_type: "VIEW",
    detail: "export",
    object_repr: "Articles",
    change_message: "Exported as ndjson",
    user_id: staff.userId,
  });
  answer.resume();
  await waitForEnd(toId(answer));
});

test("a HEAD runs no export", async () => {
  const count = async () => {
    const { rows } = await site.database.pool.query("SELECT count(*) FROM content_export");
    return rows[0].count;
  };
  const before = await count();
  const answer = await site.app.inject({
    method: "HEAD",
    url: path,
    headers: { authorization: owner.authorization },
  });
  expect(answer.statusCode).toBe(405);
  expect(answer.headers.allow).toBe("GET, POST");
  expect(await count()).toBe(before);
});

describe("what became of an export", () => {
  test("is shown to who made it and to superusers", async () => {
    const answer = await request("format=csv&columns=id", owner);
    answer.resume();
    await waitForEnd(toId(answer));
    expect((await readInfo(toId(answer), owner)).status).toBe(200);
    expect(await readInfo(toId(answer), staff)).toMatchObject({
      status: 404,
      info: { code: "export_not_found" },
    });
    const other = await request("format=csv&columns=id", staff);
    other.resume();
    await waitForEnd(toId(other));
    expect((await readInfo(toId(other), owner)).status).toBe(200);
  });

  test.each([randomUUID(), "1", "x'--"])("%s is none", async (id) => {
    expect(await readInfo(encodeURIComponent(id), owner)).toMatchObject({
      status: 404,
      info: { code: "export_not_found" },
    });
  });

  /** As a process writes it down that has begun to send one. */
  const insertRunning = async (processId: string | null) => {
    const id = randomUUID();
    await site.database.pool.query(
      `INSERT INTO content_export (id, content_type_id, format, file_name, status, process_id)
       VALUES ($1, 1, 'csv', 'x', 'running', $2)`,
      [id, processId],
    );
    return id;
  };

  test.each([
    ["died", randomUUID()],
    ["is not known", null],
  ])("is that it failed, where the process that sent it %s", async (_what, processId) => {
    const id = await insertRunning(processId);
    expect((await readInfo(id, owner)).info).toMatchObject({ status: "failed" });
    await failLeftExports(site.database.pool, randomUUID());
    const { rows } = await site.database.pool.query("SELECT status FROM content_export WHERE id = $1", [id]);
    expect(rows).toEqual([{ status: "failed" }]);
  });

  test("is open as long as its process lives, whoever starts meanwhile", async () => {
    const { pool } = site.database;
    const other = createSharedLeases({
      db: pool,
      processId: randomUUID(),
      steadyMs: () => 0,
      now: () => new Date(0),
      log: { warn: () => {} },
    });
    await other.renew();
    const id = await insertRunning(other.processId);
    const next = await createTestApp({ database: site.database, dataDir: site.dataDir });
    expect((await readInfo(id, owner)).info).toMatchObject({ status: "running", finished_at: null });
    await next.app.close();
    await next.feed.close();
    await next.exportPool.end();
    await other.close();
    expect((await readInfo(id, owner)).info).toMatchObject({ status: "failed" });
  });

  test("is forgotten after 90 days", async () => {
    const [old, young] = [randomUUID(), randomUUID()];
    const { pool } = site.database;
    const now = new Date("2026-11-20T00:00:00Z");
    await pool.query(
      `INSERT INTO content_export (id, content_type_id, format, file_name, status, created_at)
       VALUES ($1, 1, 'csv', 'x', 'complete', '2026-08-21T00:00:00Z'), ($2, 1, 'csv', 'x', 'complete', '2026-08-23T00:00:00Z')`,
      [old, young],
    );
    await deleteOldExports(pool, now);
    expect((await readInfo(old, owner)).status).toBe(404);
    expect((await readInfo(young, owner)).status).toBe(200);
  });
});
