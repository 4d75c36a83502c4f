import { AsyncResource } from "node:async_hooks";
import type pg from "pg";

/** Called when a statement begins, with its text, never its values. @returns what is called at its end, with PostgreSQL's code of a fault. */
type OnQuery = (text: string) => ((errorCode: string | undefined) => void) | undefined;

type QueryFunction = (...parameters: unknown[]) => unknown;

/** COPY takes no parameters: what is looked for stands in its text. */
const withoutValues = (text: string) => (/^\s*COPY\b/i.test(text) ? "COPY" : text);

function toText(query: unknown): string | undefined {
  if (typeof query === "string") return withoutValues(query);
  const { text } = (query ?? {}) as { text?: unknown };
  return typeof text === "string" ? withoutValues(text) : undefined;
}

/** Its message may hold values; its code doesn't. */
const toCode = (error: unknown) => String((error as { code?: unknown } | null)?.code ?? "unknown");

/** `pg` takes a callback, gives a promise, or streams what it is given; each says its end in its own way. */
function followClient(client: pg.PoolClient, onQuery: OnQuery): void {
  const query = client.query.bind(client) as QueryFunction;
  const followed: QueryFunction = (...parameters) => {
    const text = toText(parameters[0]);
    const onEnd = text === undefined ? undefined : onQuery(text);
    if (!onEnd) return query(...parameters);
    const callback = parameters.at(-1);
    if (typeof callback === "function") {
      const end = (error: unknown, result: unknown) => {
        onEnd(error ? toCode(error) : undefined);
        callback(error, result);
      };
      return query(...parameters.slice(0, -1), end);
    }
    const answer = query(...parameters);
    if (answer instanceof Promise)
      answer.then(
        () => onEnd(undefined),
        (error: unknown) => onEnd(toCode(error)),
      );
    else onEnd(undefined);
    return answer;
  };
  client.query = followed as typeof client.query;
}

/**
 * Follows every statement of a pool. Whoever waits for a connection gets it from the request that gives it back: what they have begun it in is bound to
 * what they wait with.
 */
export function followQueries(pool: pg.Pool, onQuery: OnQuery): void {
  const known = new WeakSet<pg.PoolClient>();
  pool.on("acquire", (client) => {
    if (known.has(client)) return;
    known.add(client);
    followClient(client, onQuery);
  });
  const connect = pool.connect.bind(pool) as (callback?: (...given: unknown[]) => void) => unknown;
  pool.connect = ((callback?: (...given: unknown[]) => void) =>
    callback ? connect(AsyncResource.bind(callback)) : connect()) as typeof pool.connect;
}
