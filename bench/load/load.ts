import autocannon from "autocannon";
import type { Load, LoadRequest } from "./run-load.ts";

/** The load of every bench, in a process of its own: bench/load/run-load.ts forks this file. */
const PLACE = "{n}";

/** Requests in turn, whichever connection asks next; `{n}` in them becomes a text that no other request has. */
function toSetup(requests: readonly LoadRequest[]) {
  const run = Date.now().toString(36);
  let count = 0;
  return (request: autocannon.Request): autocannon.Request => {
    const next = requests[count % requests.length];
    count += 1;
    const fill = (text: string) => text.replaceAll(PLACE, `${run}-${count}`);
    const headers = Object.entries(next?.headers ?? {}).map(([name, value]) => [name, fill(value)]);
    return {
      ...request,
      method: next?.method ?? "GET",
      path: fill(next?.path ?? "/"),
      headers: { ...request.headers, ...Object.fromEntries(headers) },
      ...(next?.body !== undefined && { body: fill(next.body) }),
    };
  };
}

process.once("message", async (message) => {
  const { url, connections, seconds, amount, perSecond, timeoutS, headers, requests } = message as Load;
  const [only, ...others] = requests;
  const isPlain = only && others.length === 0 && !JSON.stringify(only).includes(PLACE);
  const result = await autocannon({
    url: isPlain ? url + only.path : url,
    connections,
    ...(seconds && { duration: seconds }),
    ...(amount && { amount }),
    ...(perSecond && { overallRate: perSecond }),
    ...(timeoutS && { timeout: timeoutS }),
    headers: { ...headers, ...(isPlain && only.headers) },
    ...(isPlain
      ? { method: only.method ?? "GET", ...(only.body !== undefined && { body: only.body }) }
      : { requests: [{ setupRequest: toSetup(requests) }] }),
  });
  process.send?.(result);
});
