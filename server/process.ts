import type { Logger } from "pino";

/** How a process ends: what was opened last is closed first. */
export interface Shutdown {
  add(close: () => Promise<void>): void;
  /** Ends the process with a message and exit code 1. */
  fail(reason: string): void;
  readonly isStopping: boolean;
}

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/**
 * Ends the process cleanly on Ctrl-C, SIGTERM, a closed terminal, and when the launcher that started it is gone
 * (its IPC channel closes, whatever killed it).
 */
export function onShutdown(log: Logger): Shutdown {
  const closers: (() => Promise<void>)[] = [];
  let stopping: Promise<void> | undefined;

  async function closeAll(): Promise<void> {
    for (const close of closers.reverse()) {
      await close().catch((error: unknown) => log.error({ err: error }, "a part did not close cleanly"));
    }
    process.exit();
  }
  const stop = () => {
    stopping ??= closeAll();
  };
  for (const signal of SIGNALS) process.on(signal, stop);
  process.on("disconnect", stop);
  // The channel alone must not keep the process alive.
  process.channel?.unref();
  return {
    add: (close) => void closers.push(close),
    fail(reason) {
      if (stopping) return;
      console.error(`\nFoyer stops: ${reason}`);
      process.exitCode = 1;
      stop();
    },
    get isStopping() {
      return stopping !== undefined;
    },
  };
}
