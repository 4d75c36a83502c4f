import { writeFile } from "node:fs/promises";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { createBackEnd } from "./back-end.ts";
import { type Exchange, KEPT_HEADERS, readJson, toName } from "./recording.ts";
import { scrub } from "./scrub.ts";
import * as walk from "./walk.ts";

// Plays the console's calls against a running site and writes what it answered:
//   FOYER_PASSWORD=… node test/recorded-back-end/record.ts --url http://127.0.0.1:3000 [--out file]
// The site is a fresh one with its sample content, a superuser `owner`, and so many links (`bulk 1`, `bulk 2`, …) that a
// bulk write of them is a job; many-links.sql makes them. Everything else that the calls make, they delete again.

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "http://127.0.0.1:3000" },
    out: { type: "string", default: `${import.meta.dirname}/recording.json` },
  },
});
const password = process.env.FOYER_PASSWORD;
if (!password) throw new Error("FOYER_PASSWORD is the password of the superuser `owner`");

const exchanges: Exchange[] = [];

/** fetch, which notes what passes. */
const recordingFetch: typeof fetch = async (target, init) => {
  const response = await fetch(target, init);
  const { pathname, search } = new URL(String(target));
  const text = await response.clone().text();
  const headers = KEPT_HEADERS.flatMap((name) => {
    const value = response.headers.get(name);
    return value === null ? [] : [[name, value] as const];
  });
  exchanges.push({
    request: {
      method: init?.method ?? "GET",
      path: pathname + search,
      ...(typeof init?.body === "string" && { body: readJson(init.body) }),
    },
    response: {
      status: response.status,
      headers: Object.fromEntries(headers),
      ...(text !== "" && { body: readJson(text) }),
    },
  });
  return response;
};

const backEnd = createBackEnd({ baseUrl: values.url, fetch: recordingFetch, pause: (ms) => pause(ms) });
await walk.mistypePassword(backEnd);
await walk.signIn(backEnd, { ...walk.OWNER, password });
await walk.renewTokens(backEnd);
const { models } = await walk.lookAround(backEnd);
const links = await walk.findLinks(backEnd);
await walk.managePeople(backEnd);
await walk.manageLevels(backEnd);
await walk.manageObjects(backEnd, links);
await walk.turnPages(backEnd, links);
await walk.writeMany(backEnd, links);
await walk.runJob(backEnd, links);
await walk.exportLevels(backEnd, walk.toModels(models.data));
await walk.signOut(backEnd);

/** An answer that says again what it said before is served again anyway. */
const isNews = (exchange: Exchange, at: number) => {
  const before = exchanges
    .slice(0, at)
    .findLast(({ request }) => toName(request) === toName(exchange.request));
  return JSON.stringify(before?.response) !== JSON.stringify(exchange.response);
};

const scrubbed = scrub(exchanges.filter(isNews), { [password]: walk.OWNER.password });
await writeFile(values.out, `${JSON.stringify(scrubbed, null, 2)}\n`);
console.log(`${scrubbed.length} exchanges in ${values.out}`);
