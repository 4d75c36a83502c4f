import type { ChangeFeed } from "#server/db/change-feed.ts";
import type { MailAlarms } from "./alarms.ts";
import { RULES_MODEL } from "./mail-rules.ts";

/** Whatever notice was lost, nothing waits longer than this. */
const LOOK_EVERY_MS = 30_000;
/** Many reports come together: they are looked at once. */
const AFTER_NEWS_MS = 3_000;

const NEWS: ReadonlySet<string | undefined> = new Set([
  "mail.bounce",
  "mail.complaint",
  RULES_MODEL,
  undefined,
]);

export interface WatchParts {
  alarms: Pick<MailAlarms, "evaluate">;
  feed: Pick<ChangeFeed, "subscribe">;
  log: Record<"error", (details: object, message: string) => void>;
  afterNewsMs?: number;
  lookEveryMs?: number;
}

/** Looks for alarms soon after something came back or was complained of, and by the clock. */
export function createAlarmWatch(parts: WatchParts): { start(): void; close(): Promise<void> } {
  const { alarms, feed, log, afterNewsMs = AFTER_NEWS_MS, lookEveryMs = LOOK_EVERY_MS } = parts;
  let isOpen = false;
  let looking: Promise<void> = Promise.resolve();
  let soon: NodeJS.Timeout | undefined;
  let clock: NodeJS.Timeout | undefined;

  /** One look behind the other. */
  function look(): void {
    looking = looking.then(async () => {
      if (!isOpen) return;
      await alarms
        .evaluate()
        .catch((error: unknown) => log.error({ err: error }, "alarms about mail can't be looked for now"));
    });
  }

  feed.subscribe((modelKey) => {
    if (!isOpen || !NEWS.has(modelKey)) return;
    soon ??= setTimeout(() => {
      soon = undefined;
      look();
    }, afterNewsMs).unref();
  });

  return {
    start() {
      isOpen = true;
      clock = setInterval(look, lookEveryMs).unref();
      look();
    },
    async close() {
      isOpen = false;
      clearInterval(clock);
      clearTimeout(soon);
      await looking;
    },
  };
}
