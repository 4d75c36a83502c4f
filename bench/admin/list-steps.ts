import { objectsAnswer, record } from "#contract/content/models.ts";
import { countFailed } from "../load/run-load.ts";
import {
  type Bench,
  callJson,
  type Figure,
  load,
  rateFigure,
  runPlain,
  timeAlone,
  toMs,
  toRate,
} from "./bench.ts";

const PAGE_SIZE = 20;
/** How far an estimate may be from the truth after ANALYZE. */
const HONEST_PART = 0.2;
/** What the same SQL gave where the bars were set. */
const REFERENCE = { list: 2_068, filter: 1_922 };

const PAGE_SQL = `SELECT t.id, t.title, t.body, t.status, t.views, t.published_at, t.created_at, t.updated_at,
    (SELECT json_build_object('id', r.id, 'repr', r.username) FROM account_user r WHERE r.id = t.author) AS author
  FROM bench_article t`;
const CAPPED_SQL = (where = "") =>
  `SELECT count(*) FROM (SELECT 1 FROM bench_article t ${where} LIMIT 10001) counted`;
const FILTER = "filters[0][field]=status&filters[0][value]=published";
const NEWEST = "sort[0][field]=published_at&sort[0][direction]=desc";

const page = (bench: Bench, query: string) =>
  callJson(bench, objectsAnswer, "GET", `${bench.objects}?${query}`);

/** Writes once a second while work goes on, and looks for each write in the list that comes next. */
async function watchWrites<T>(
  bench: Bench,
  work: Promise<T>,
): Promise<{ result: T; written: number; seen: number }> {
  let isOver = false;
  const done = work.finally(() => {
    isOver = true;
  });
  const { objects } = await page(bench, "page_size=1");
  const id = objects[0]?.id ?? 0;
  let written = 0;
  let seen = 0;
  while (!isOver) {
    written += 1;
    const views = 500_000 + written;
    await callJson(bench, record, "PATCH", `${bench.objects}${id}/`, { views });
    const { objects: next } = await page(bench, "");
    if (next.some((row) => row.id === id && row.views === views)) seen += 1;
    await Promise.race([done, new Promise((resolve) => setTimeout(resolve, 1000))]).catch(() => undefined);
  }
  return { result: await done, written, seen };
}

async function countRows(bench: Bench): Promise<number> {
  const { rows } = await bench.pool.query<{ count: string }>("SELECT count(*) FROM bench_article");
  return Number(rows[0]?.count);
}

async function judgeEstimate(bench: Bench): Promise<Figure> {
  const { pagination } = await page(bench, "");
  const exact = await countRows(bench);
  const fault = Math.abs(pagination.total_count - exact) / exact;
  const isLarge = exact > 10_000;
  return {
    name: "the first page's total, flagged as an estimate",
    bar: `within ${HONEST_PART * 100} %`,
    measured: `${pagination.total_count}, ${(fault * 100).toFixed(1)} % off`,
    isMet: fault <= HONEST_PART && (pagination.count_is_estimate || !isLarge),
    plain: String(exact),
  };
}

export async function measureLists(bench: Bench): Promise<Figure[]> {
  const first = { text: `${PAGE_SQL} ORDER BY t.id LIMIT $1`, values: [PAGE_SIZE] };
  const capped = await runPlain(bench, [[first, { text: CAPPED_SQL(), values: [] }]]);
  bench.scale = Math.min(1, capped / REFERENCE.list);
  const aloneMs = await timeAlone(bench, [bench.objects]);
  const { result, written, seen } = await watchWrites(bench, load(bench, [{ path: bench.objects }]));
  // Before an exact total is asked for: where one is known, a list says it.
  const estimate = await judgeEstimate(bench);
  const exactPlain = await runPlain(bench, [
    [first, { text: "SELECT count(*) FROM bench_article", values: [] }],
  ]);
  const exact = await load(bench, [{ path: `${bench.objects}?count=exact` }]);
  const isExactFast = countFailed(exact) === 0 && exact.requests.average >= 0.9 * exactPlain;
  return [
    rateFigure("first page, estimated total", 1_500, bench, result, capped),
    { name: "first page, alone", bar: "≤ 5 ms", measured: toMs(aloneMs), isMet: aloneMs <= 5 },
    estimate,
    {
      name: "first page, count=exact",
      bar: `≥ ${toRate(0.9 * exactPlain)} (0.9 × SQL)`,
      measured: toRate(exact.requests.average),
      isMet: isExactFast,
      plain: toRate(exactPlain),
    },
    {
      name: "writes of each second seen in the next list",
      bar: "all",
      measured: `${seen} of ${written}`,
      isMet: written > 0 && seen === written,
    },
  ];
}

/** Follows cursors from the first page. */
async function timeCursor(bench: Bench): Promise<number> {
  let { next_cursor: cursor } = (await page(bench, NEWEST)).pagination;
  const paths: string[] = [];
  for (let turn = 0; turn < 33 && cursor; turn++) {
    const query: string = `${NEWEST}&cursor=${encodeURIComponent(cursor)}`;
    paths.push(`${bench.objects}?${query}`);
    cursor = (await page(bench, query)).pagination.next_cursor;
  }
  return timeAlone(bench, paths);
}

export async function measurePages(bench: Bench): Promise<Figure[]> {
  const number = Math.floor((0.8 * bench.rows) / PAGE_SIZE);
  const deep = `${bench.objects}?page=${number}&count=exact`;
  const deepMs = await timeAlone(bench, [deep]);
  const cursorMs = await timeCursor(bench);
  const begin = performance.now();
  await bench.pool.query(`${PAGE_SQL} ORDER BY t.id OFFSET $1 LIMIT $2`, [
    (number - 1) * PAGE_SIZE,
    PAGE_SIZE,
  ]);
  return [
    {
      name: `page ${number} by number, exact total cached`,
      bar: "≤ 25 ms",
      measured: toMs(deepMs),
      isMet: deepMs <= 25,
      plain: toMs(performance.now() - begin),
    },
    { name: "next page by cursor", bar: "≤ 5 ms", measured: toMs(cursorMs), isMet: cursorMs <= 5 },
  ];
}

export async function measureFilter(bench: Bench): Promise<Figure[]> {
  const where = "WHERE t.status = $1";
  const plain = await runPlain(bench, [
    [
      {
        text: `${PAGE_SQL} ${where} ORDER BY t.published_at DESC NULLS LAST, t.id DESC LIMIT 20`,
        values: ["published"],
      },
      { text: CAPPED_SQL(where), values: ["published"] },
    ],
  ]);
  const result = await load(bench, [{ path: `${bench.objects}?${FILTER}&${NEWEST}` }]);
  const own = { ...bench, scale: Math.min(1, plain / REFERENCE.filter) };
  return [rateFigure("status = published, newest first", 1_000, own, result, plain)];
}
