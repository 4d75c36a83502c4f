import { createHash, timingSafeEqual } from "node:crypto";
import { promisify } from "node:util";
import { gunzip, gzip } from "node:zlib";
import type { FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod/mini";
import { ACCESS_LEVEL } from "#contract/accounts/accounts.ts";
import type { RequireLevel } from "#server/http/bearer.ts";
import { noStore } from "#server/http/caching.ts";
import type { App } from "#server/http/zod.ts";
import type { Floor } from "../floor.ts";
import type { MetricsSources } from "./metrics.ts";

const hash = (text: string) => createHash("sha256").update(text).digest();

/** Lets whoever sends the token pass, and staff as everywhere. */
function createGuard(token: string, requireLevel: RequireLevel) {
  const own = hash(token);
  const guard = requireLevel(ACCESS_LEVEL.admin);
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const given = /^Bearer (.+)$/i.exec(request.headers.authorization ?? "")?.[1];
    if (given !== undefined && timingSafeEqual(hash(given), own)) return;
    await guard(request, reply);
  };
}

const [pack, unpack] = [promisify(gzip), promisify(gunzip)];

/** What is asked of another process. */
const KIND = "metrics";
/** Prometheus gives up after ten seconds: one that doesn't answer is left out before. */
const ANSWER_LIMIT_MS = 2_000;
const answerOfSibling = z.object({ number: z.int(), text: z.string() });

/** The other processes of a launch: the system gives a scrape to any of them, which answers for all. */
interface Siblings {
  /** What those answer that do in time, and which do, by their labels, this one too. */
  read(): Promise<{ texts: string[]; states: Map<string, boolean> }>;
}

interface SiblingDeps {
  link: NonNullable<Floor["cluster"]>["link"];
  launched: NonNullable<Floor["config"]["launched"]>;
  processLabel: string;
}

/** Answers those of the same launch, and asks them. A text is small when it is packed; PostgreSQL carries it in pieces of 8 kB. */
function openSiblings(
  { link, launched, processLabel }: SiblingDeps,
  readOwn: () => Promise<string>,
): Siblings {
  const launch = hash(launched.secret).toString("base64");
  link.answer(KIND, async (asking) => {
    if (asking !== launch) return null;
    return { number: launched.number, text: (await pack(await readOwn())).toString("base64") };
  });

  /** Undefined: it is of another launch, or says nothing, as `foyer_process_up` tells. */
  async function ask(address: string): Promise<[number, string] | undefined> {
    try {
      const answer = answerOfSibling.safeParse(await link.ask(address, KIND, launch, ANSWER_LIMIT_MS));
      if (!answer.success) return undefined;
      const { number, text } = answer.data;
      return [number, (await unpack(Buffer.from(text, "base64"))).toString()];
    } catch {
      return undefined;
    }
  }

  return {
    async read() {
      const others = link.list().filter((address) => address !== link.self);
      const answers = (await Promise.all(others.map(ask))).filter((answer) => answer !== undefined);
      // One of each number: a process that was started again may be known under two addresses.
      const texts = new Map(answers.filter(([number]) => number !== launched.number));
      const numbers = Array.from({ length: launched.count }, (_, index) => index + 1);
      const states = numbers.map((number): [string, boolean] => [
        processLabel.replace(/\/\d+$/, `/${number}`),
        number === launched.number || texts.has(number),
      ]);
      return { texts: [...texts.values()], states: new Map(states) };
    },
  };
}

/**
 * `GET /metrics`, in Prometheus' text format, for whoever sends METRICS_TOKEN or is staff. Without that setting there is no such address, nothing is
 * counted, and the library isn't loaded.
 */
export async function openMetrics(
  app: App,
  token: string,
  floor: MetricsSources & Pick<Floor, "requireLevel" | "config" | "processLabel" | "cluster">,
): Promise<void> {
  const { createMetrics, joinTexts, readUp } = await import("./metrics.ts");
  const { cluster, processLabel, config, requireLevel } = floor;
  const { launched } = config;
  const metrics = createMetrics(floor, launched && processLabel);
  const siblings =
    cluster && launched && openSiblings({ ...cluster, launched, processLabel }, metrics.readOwn);
  app.addHook("onResponse", ({ method, routeOptions }, reply, done) => {
    metrics.countRequest(method, routeOptions.url ?? "none", reply.statusCode, reply.elapsedTime / 1000);
    done();
  });

  async function readAll(): Promise<string> {
    const [own, site, others] = await Promise.all([metrics.readOwn(), metrics.readSite(), siblings?.read()]);
    return joinTexts([own, ...(others ? [...others.texts, await readUp(others.states)] : []), site]);
  }

  app.get(
    "/metrics",
    { onRequest: [noStore, createGuard(token, requireLevel)], schema: { hide: true } },
    async (_request, reply) => reply.type(metrics.contentType).send(await readAll()),
  );
}
