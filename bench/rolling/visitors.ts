import { Agent, get } from "node:http";

const ANSWER_LIMIT_MS = 10_000;

/** What is asked, in turn, so often. */
export interface Visit {
  name: string;
  url: string;
  paths: readonly string[];
  perSecond: number;
  headers?: Readonly<Record<string, string>>;
}

export interface Outcome {
  requests: number;
  /** How often which: `ECONNRESET`, `503`. */
  faults: Record<string, number>;
  latenciesMs: number[];
}

/** Sends requests at a fixed pace, whatever became of those before, on connections that are kept alive as browsers keep them. */
export function sendVisits(visit: Visit): { stop(): Promise<Outcome> } {
  const agent = new Agent({ keepAlive: true });
  const outcome: Outcome = { requests: 0, faults: {}, latenciesMs: [] };
  const open = new Set<Promise<void>>();

  function send(path: string): Promise<void> {
    const begin = performance.now();
    const { promise, resolve } = Promise.withResolvers<void>();
    let isOver = false;
    const end = (fault?: string) => {
      if (isOver) return;
      isOver = true;
      if (fault === undefined) outcome.latenciesMs.push(performance.now() - begin);
      else outcome.faults[fault] = (outcome.faults[fault] ?? 0) + 1;
      resolve();
    };
    const headers = { "accept-encoding": "gzip", ...visit.headers };
    const request = get(new URL(path, visit.url), { agent, headers }, (response) => {
      response.resume();
      response.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
      response.once("end", () => end(response.statusCode === 200 ? undefined : String(response.statusCode)));
    });
    const limit = setTimeout(() => request.destroy(new Error("no answer in time")), ANSWER_LIMIT_MS);
    request.once("error", (error: NodeJS.ErrnoException) => end(error.code ?? error.message));
    request.once("close", () => clearTimeout(limit));
    return promise;
  }

  /** A timer that is late sends what is due: the pace stays. */
  const begin = performance.now();
  const timer = setInterval(() => {
    const due = Math.floor(((performance.now() - begin) / 1000) * visit.perSecond);
    while (outcome.requests < due) {
      const sending = send(visit.paths[outcome.requests % visit.paths.length] ?? "/");
      outcome.requests += 1;
      open.add(sending);
      void sending.then(() => open.delete(sending));
    }
  }, 5);

  return {
    async stop() {
      clearInterval(timer);
      await Promise.all(open);
      agent.destroy();
      return outcome;
    },
  };
}
