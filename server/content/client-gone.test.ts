import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { type ContentSite, openContentSite } from "./fixture.ts";

const CLIENTS = 50;
const SLEEP = "pg_sleep(15)";

/** Articles that take their time, so that their readers can lose patience. */
const slowArticle = {
  ...article,
  name: "slow_article",
  fields: {
    ...article.fields,
    slow: {
      kind: "computed",
      of: "integer",
      sql: `(SELECT 1 FROM ${SLEEP} WHERE {row}.id > 0)`,
      labels: { en: "Slow", tr: "Yavaş" },
    },
  },
};

let content: ContentSite;
let address: string;

beforeAll(async () => {
  content = await openContentSite([article, slowArticle], ARTICLE_SQL);
  await content.site.database.pool.query("INSERT INTO test_article (title) VALUES ('one')");
  address = await content.site.app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => content.site.close());

/** Asks and goes away after a while, without an answer. */
function askAndLeave(patienceMs: number): Promise<void> {
  return new Promise((resolve) => {
    const call = request(`${address}${content.objects("slow_article", "?search=one")}`, {
      headers: { authorization: content.owner.authorization },
    });
    call.on("error", () => resolve());
    call.end();
    setTimeout(() => call.destroy(), patienceMs);
  });
}

async function countSlow(): Promise<number> {
  const { rows } = await content.site.database.pool.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM pg_stat_activity
     WHERE datname = current_database() AND state = 'active' AND query LIKE '%pg_sleep%' AND pid <> pg_backend_pid()`,
  );
  return rows[0]?.count ?? 0;
}

test("a slow list ends with its client, and 50 of them leave the pool whole", async () => {
  const { pool } = content.site.database;
  const leaving = Promise.all(Array.from({ length: CLIENTS }, (_, index) => askAndLeave(500 + index * 4)));
  await leaving;
  const deadline = Date.now() + 5_000;
  while ((await countSlow()) > 0 && Date.now() < deadline) await wait(50);
  expect(await countSlow()).toBe(0);
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => content.list("article")));
  expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200));
  expect(pool.waitingCount).toBe(0);
  expect(pool.idleCount).toBe(pool.totalCount);
}, 30_000);

test("a slow list runs while its client waits", async () => {
  const leaving = askAndLeave(1_000);
  await wait(500);
  expect(await countSlow()).toBe(1);
  await leaving;
}, 10_000);
