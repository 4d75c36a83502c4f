import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { runDevServer } from "./dev-server.mjs";

/** Servers that end only when the test says so, and hands on the file watcher and on Ctrl-C. */
function makeBench() {
  const servers = [];
  const bench = { servers };
  bench.start = () => {
    const server = { signals: [], stop: (signal) => server.signals.push(signal) };
    server.exited = new Promise((resolve) => {
      server.exit = resolve;
    });
    servers.push(server);
    return server;
  };
  bench.outside = {
    watchFiles: (onChange) => {
      bench.change = onChange;
      return () => {};
    },
    onStop: (stop) => {
      bench.interrupt = () => stop("SIGINT");
      return () => {};
    },
  };
  return bench;
}

async function end(running, bench) {
  bench.interrupt();
  bench.servers.at(-1).exit(0);
  expect(await running).toBe(0);
}

test("the next server starts only after the last one has ended", async () => {
  const bench = makeBench();
  const running = runDevServer(bench.start, bench.outside);
  bench.change();
  bench.change();
  await nextTurn();
  expect(bench.servers).toHaveLength(1);
  expect(bench.servers[0].signals).toContain("SIGTERM");
  bench.servers[0].exit(0);
  await nextTurn();
  expect(bench.servers).toHaveLength(2);
  await end(running, bench);
});

test("a server that fails waits for a change", async () => {
  const bench = makeBench();
  const running = runDevServer(bench.start, bench.outside);
  bench.servers[0].exit(1);
  await nextTurn();
  expect(bench.servers).toHaveLength(1);
  bench.change();
  await nextTurn();
  expect(bench.servers).toHaveLength(2);
  await end(running, bench);
});
