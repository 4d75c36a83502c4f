import { type ClientRequest, request } from "node:http";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ARTICLE_SQL, article } from "#test/article.ts";
import { until } from "#test/until.ts";
import { type ContentSite, openContentSite } from "../fixture.ts";

const CLIENTS = 50;
/** Statements of lists that run at once; the pool's other connections are for everything else. */
const PLACES = 6;

/** Articles that nobody ever gets, so that their readers lose patience. */
const slowArticle = {
  ...article,
  name: "slow_article",
  fields: {
    ...article.fields,
    slow: {
      kind: "computed",
      of: "integer",
      sql: "(SELECT 1 FROM pg_sleep(100000) WHERE {row}.id > 0)",
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

/** Asks for what never comes. */
function ask(): ClientRequest {
  const call = request(`${address}${content.objects("slow_article", "?search=one")}`, {
    headers: { authorization: content.owner.authorization },
  });
  call.on("error", () => undefined); // it is destroyed without an answer
  call.end();
  return call;
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
  let arrived = 0;
  const count = () => {
    arrived += 1;
  };
  content.site.app.server.on("request", count);
  const calls = Array.from({ length: CLIENTS }, ask);
  await until(async () => arrived === CLIENTS && (await countSlow()) === PLACES);
  content.site.app.server.off("request", count);
  for (const call of calls) call.destroy();
  await until(async () => (await countSlow()) === 0);
  const answers = await Promise.all(Array.from({ length: CLIENTS }, () => content.list("article")));
  expect(answers.map(({ status }) => status)).toEqual(Array(CLIENTS).fill(200));
  expect(pool.waitingCount).toBe(0);
  expect(pool.idleCount).toBe(pool.totalCount);
});

test("a slow list runs while its client waits", async () => {
  const call = ask();
  await until(async () => (await countSlow()) === 1);
  call.destroy();
  await until(async () => (await countSlow()) === 0);
});
