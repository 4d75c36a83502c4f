import autocannon from "autocannon";

/** One run of bench/requests.ts, which forks this file so that the load has a process of its own. */
export interface Load {
  url: string;
  connections: number;
  seconds: number;
  encoding: string;
  /** Each request names another host: it has an origin, and so a page, that nobody asked for before. */
  isUncached: boolean;
}

process.once("message", async (message) => {
  const { url, connections, seconds, encoding, isUncached } = message as Load;
  const run = Date.now().toString(36);
  let count = 0;
  const toStranger = (request: autocannon.Request): autocannon.Request => {
    count += 1;
    return { ...request, headers: { ...request.headers, host: `${run}-${count}.bench.test` } };
  };
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    headers: { "accept-encoding": encoding },
    ...(isUncached && { requests: [{ setupRequest: toStranger }] }),
  });
  process.send?.(result);
});
