import { get } from "node:http";

const REQUESTS_A_SECOND = 20;
/** A page that is drawn, and an address of the API; in turn. */
const PATHS = ["/cv", "/api/cv/"];
const ANSWER_LIMIT_MS = 10_000;

interface Attempt {
  sent: number;
  /** When its 200 was there to its end; undefined: no answer, or another one. Milliseconds of `performance.now()`. */
  answered?: number;
  fault?: string;
}

/** What a visitor had in a span of time. */
export interface Outcome {
  requests: number;
  failed: number;
  /** How often which: `ECONNREFUSED`, `503`. */
  faults: Record<string, number>;
  /** The longest time in which no request got a 200, in seconds. */
  awayS: number;
}

export interface Visitors {
  countAnswers(): number;
  /** Of the requests that were sent since then; waits until each has its answer or failed. */
  finish(since: number): Promise<Outcome>;
  stop(): void;
}

/** Sends 20 requests a second, each on a connection of its own, whatever became of those before. */
export function sendRequests(port: number): Visitors {
  const attempts: Attempt[] = [];
  const open = new Set<Promise<void>>();

  const send = (path: string) =>
    new Promise<void>((resolve) => {
      const attempt: Attempt = { sent: performance.now() };
      attempts.push(attempt);
      const fail = (fault: string) => {
        attempt.fault ??= fault;
        resolve();
      };
      const request = get({ host: "127.0.0.1", port, path, agent: false }, (response) => {
        response.resume();
        response.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
        response.once("end", () => {
          if (response.statusCode !== 200) return fail(String(response.statusCode));
          attempt.answered = performance.now();
          resolve();
        });
      });
      const limit = setTimeout(() => request.destroy(new Error("no answer in time")), ANSWER_LIMIT_MS);
      request.once("error", (error: NodeJS.ErrnoException) => fail(error.code ?? error.message));
      request.once("close", () => clearTimeout(limit));
    });

  const timer = setInterval(() => {
    const sending = send(PATHS[attempts.length % PATHS.length] ?? "/");
    open.add(sending);
    void sending.then(() => open.delete(sending));
  }, 1000 / REQUESTS_A_SECOND);

  return {
    countAnswers: () => attempts.filter(({ answered }) => answered !== undefined).length,
    async finish(since) {
      const until = performance.now();
      await Promise.all(open);
      const sent = attempts.filter((attempt) => attempt.sent >= since && attempt.sent <= until);
      const faults: Record<string, number> = {};
      for (const { fault } of sent) if (fault) faults[fault] = (faults[fault] ?? 0) + 1;
      const answers = attempts.flatMap(({ answered = 0 }) => (answered > since ? [answered] : []));
      return {
        requests: sent.length,
        failed: sent.filter(({ fault }) => fault).length,
        faults,
        awayS: findLongest([since, ...answers.sort((a, b) => a - b), Math.max(until, ...answers)]) / 1000,
      };
    },
    stop: () => clearInterval(timer),
  };
}

/** The longest step between neighbours. */
function findLongest(times: readonly number[]): number {
  return Math.max(...times.slice(1).map((time, index) => time - (times[index] ?? time)));
}
