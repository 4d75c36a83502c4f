import { onStopRequest } from "./foreground.mjs";
import { watchServerFiles } from "./watch-files.mjs";

/**
 * Runs the server again whenever its files change, until a signal ends it. `start` gives `{ exited, stop }`. The next
 * process starts only after the last one has ended, because that one holds the lock of the data folder. (`node --watch`
 * would be a process more, and would outlive a killed launcher.) A server that stops by itself is started by the next
 * change.
 */
export async function runDevServer(start, { watchFiles = watchServerFiles, onStop = onStopRequest } = {}) {
  let isEnding = false;
  let current;
  let wake = () => {};
  const unwatch = watchFiles(() => {
    current?.stop("SIGTERM");
    wake();
  });
  const release = onStop((signal) => {
    isEnding = true;
    current?.stop(signal);
    wake();
  });

  let code = 0;
  while (!isEnding) {
    let isChanged = false;
    const changed = new Promise((resolve) => {
      wake = () => {
        isChanged = true;
        resolve();
      };
    });
    current = start();
    code = await current.exited;
    current = undefined;
    if (isChanged) continue;
    process.stderr.write(`The server stopped (exit code ${code}). Waiting for a change.\n`);
    await changed;
    code = 0;
  }
  unwatch();
  release();
  return code;
}
