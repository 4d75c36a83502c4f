import { type Bench, type Figure, load, rateFigure, runPlain, timeAlone, toMs } from "./bench.ts";
import { SEARCH_TERMS } from "./words.ts";

/** What the same SQL gave where the bar was set. */
const REFERENCE = 112;

/** Twenty words, each inside some hundred to some ten thousand titles. */
export async function measureSearch(bench: Bench): Promise<Figure[]> {
  const paths = SEARCH_TERMS.map((term) => `${bench.objects}?search=${term}`);
  const plain = await runPlain(
    bench,
    SEARCH_TERMS.map((term) => [
      {
        text: "SELECT * FROM bench_article t WHERE search LIKE $1 ORDER BY t.id LIMIT 20",
        values: [`%${term}%`],
      },
      {
        text: "SELECT count(*) FROM (SELECT 1 FROM bench_article WHERE search LIKE $1 LIMIT 10001) c",
        values: [`%${term}%`],
      },
    ]),
  );
  const aloneMs = await timeAlone(bench, paths);
  const result = await load(
    bench,
    paths.map((path) => ({ path })),
  );
  const own = { ...bench, scale: Math.min(1, plain / REFERENCE) };
  return [
    { name: "search in the title, alone", bar: "≤ 30 ms", measured: toMs(aloneMs), isMet: aloneMs <= 30 },
    rateFigure("search in the title, 20 terms", 80, own, result, plain),
  ];
}
