import type { Figure } from "../mail/figure.ts";
import { toMemoryFigure } from "./memory.ts";
import { type Fault, type RequestsResult, readField, runRequests } from "./run-requests.ts";
import type { Memory, MeteredSite } from "./site.ts";

/** Memory is read after each of these parts. */
const ROUNDS = 20;
const SHOWN_FAULTS = 40;

function merge(into: RequestsResult, from: RequestsResult): void {
  into.faults.push(...from.faults);
  const addAll = <Key>(to: Map<Key, number>, counts: Map<Key, number>) => {
    for (const [key, count] of counts) to.set(key, (to.get(key) ?? 0) + count);
  };
  addAll(into.statuses, from.statuses);
  addAll(into.documented, from.documented);
  for (const [route, counts] of from.routes) {
    const known = into.routes.get(route) ?? new Map<number, number>();
    into.routes.set(route, known);
    addAll(known, counts);
  }
}

const toLine = (counts: ReadonlyMap<unknown, number>) =>
  [...counts]
    .map(([key, count]) => `${key}: ${count}`)
    .toSorted()
    .join(", ");

/** Routes that never did what they are for, and those that mostly refused for being asked too often: what the fuzz didn't reach. */
function printReach({ routes }: RequestsResult): void {
  const isGood = (status: number) => status >= 200 && status < 400;
  const unreached = [...routes]
    .filter(([, counts]) => ![...counts.keys()].some(isGood))
    .map(([route]) => route);
  const limited = [...routes].filter(([, counts]) => {
    const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
    return (counts.get(429) ?? 0) > all / 2;
  });
  console.log(`${routes.size} routes; never answered 2xx or 3xx: ${unreached.join(", ") || "none"}`);
  console.log(`mostly 429: ${limited.map(([route]) => route).join(", ") || "none"}`);
}

export async function measureRequests(
  site: MeteredSite,
  { seed, from, count }: { seed: number; from: number; count: number },
): Promise<Figure[]> {
  const field = await readField(site, site.known);
  const result: RequestsResult = {
    faults: [],
    statuses: new Map(),
    routes: new Map(),
    documented: new Map(),
  };
  const memory: (Memory & { at: number })[] = [];
  const onFault = ({ index, sender, request, answer }: Fault) => {
    if (result.faults.length < SHOWN_FAULTS)
      console.log(`request ${index} by ${sender}: ${answer}\n  ${request}`);
  };
  const begin = performance.now();
  for (let round = 0; round < ROUNDS && site.readEnd() === undefined; round++) {
    const start = Math.round((count * round) / ROUNDS);
    const end = Math.round((count * (round + 1)) / ROUNDS);
    merge(result, await runRequests(site, field, { seed, from: from + start, count: end - start, onFault }));
    if (site.readEnd() === undefined) memory.push({ at: end, ...(await site.readMemory()) });
    console.log(
      `${end} requests, ${result.faults.length} faults, ${site.faults.length} errors, ${JSON.stringify(memory.at(-1))}`,
    );
  }
  const seconds = (performance.now() - begin) / 1000;
  console.log(
    `${field.routes.length} routes, ${count} requests in ${seconds.toFixed(0)} s; ${toLine(result.statuses)}`,
  );
  if (result.documented.size > 0) console.log(`documented answers above 499: ${toLine(result.documented)}`);
  printReach(result);
  return [
    {
      name: `${count} requests, seed ${seed}`,
      bar: "0 answers above 499 but documented ones, 0 without an answer in 120 s",
      measured: `${result.faults.length}`,
      isMet: result.faults.length === 0,
    },
    toMemoryFigure("memory over the requests", memory),
  ];
}
