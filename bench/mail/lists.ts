import { BOUNCE_TYPES, FEEDBACK_TYPES } from "#contract/mail/triage.ts";

import { toQuantile } from "../admin/bench.ts";
import { type Figure, toMs } from "./figure.ts";
import type { MailSite } from "./open-site.ts";

const BAR_MS = 50;
const STATES = ["", "unprocessed", "processed", "unsubscribed", "all"];
const RANGES = ["7", "30", "90", "all"];
/** None; one that a few rows meet, one that many do, one that nothing does. */
const SEARCHES = ["", "grace.12", "gmail", "nobody@nowhere.example"];
const PAGES = ["first", "third", "last"] as const;

interface List {
  name: string;
  path: string;
  typeName: string;
  types: readonly string[];
}

const LISTS: readonly List[] = [
  { name: "returned mail", path: "/api/mail/bounces/", typeName: "type", types: [...BOUNCE_TYPES, "all"] },
  {
    name: "complaints",
    path: "/api/mail/complaints/",
    typeName: "feedback_type",
    types: [...FEEDBACK_TYPES, "all"],
  },
];

interface Timed {
  ms: number;
  query: string;
}

async function ask({ app, headers }: MailSite, url: string) {
  const begin = performance.now();
  const answer = await app.inject({ url, headers });
  const ms = performance.now() - begin;
  if (answer.statusCode !== 200) throw new Error(`${url}: ${answer.statusCode} ${answer.body}`);
  return { ms, pages: answer.json().pages as number };
}

function listQueries({ typeName, types }: List): Record<string, string>[] {
  return STATES.flatMap((status) =>
    types.flatMap((type) =>
      RANGES.flatMap((range) =>
        SEARCHES.map((search) => ({
          ...(status && { status }),
          [typeName]: type,
          date_range: range,
          ...(search && { search }),
        })),
      ),
    ),
  );
}

/** Each combination's pages so many times, each round after all of the one before. */
async function measureList(site: MailSite, list: List, rounds: number): Promise<Figure[]> {
  const times: Timed[] = [];
  for (let round = -1; round < rounds; round += 1) {
    for (const query of listQueries(list)) {
      let last = 1;
      for (const page of PAGES) {
        const number = { first: 1, third: Math.min(3, last), last }[page];
        const text = new URLSearchParams({ ...query, page: String(number) }).toString();
        const { ms, pages } = await ask(site, `${list.path}?${text}`);
        last = pages;
        // The first round fills caches, ours and PostgreSQL's.
        if (round >= 0) times.push({ ms, query: text });
      }
    }
  }
  const sorted = times.toSorted((a, b) => b.ms - a.ms);
  for (const { ms, query } of sorted.slice(0, 5))
    console.log(`${toMs(ms).padStart(7)}  ${list.path}?${query}`);
  const all = times.map(({ ms }) => ms);
  const p95 = toQuantile(all, 0.95);
  const measured = `p95 ${toMs(p95)}, p50 ${toMs(toQuantile(all, 0.5))}, worst ${toMs(sorted[0]?.ms ?? Number.NaN)}`;
  return [
    {
      name: `${list.name}: ${times.length / rounds} lists, each ${rounds} times`,
      bar: `p95 ≤ ${BAR_MS} ms`,
      measured,
      isMet: p95 <= BAR_MS,
    },
  ];
}

/** Server time of both lists with exact totals and cards, whatever is filtered. */
export async function measureLists(site: MailSite, rounds: number): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const list of LISTS) figures.push(...(await measureList(site, list, rounds)));
  return figures;
}
