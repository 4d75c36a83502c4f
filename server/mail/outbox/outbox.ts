import { setTimeout as sleep } from "node:timers/promises";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { createNotices } from "#server/db/change-notices.ts";
import { toRowChange } from "../../db/change-notices.ts";
import { pullBackDue, selectNextDue } from "./lease-store.ts";
import { MESSAGE_MODEL } from "./message.ts";
import { createOutboxWorker, LATEST_ATTEMPT_MS, type WorkerDeps } from "./worker.ts";

/** Whatever notice was lost, nothing waits longer than this. */
const LOOK_EVERY_MS = 30_000;
/** A mail that is due and was not taken waits until another one is done, or belongs to another process. */
const BUSY_MS = 1_000;
/** After a look-up that failed. */
const RETRY_MS = 5_000;
/** A stop waits this long for the database and for what is being sent; that is sent again after the next start. */
const CLOSE_PATIENCE_MS = 10_000;
const CUT_PATIENCE_MS = 1_000;

export interface Outbox {
  /** Begins to send: what waits now, and from then on what is queued. */
  start(): void;
  /** Takes nothing more, and waits for what is being sent. */
  close(): Promise<void>;
}

export interface OutboxDeps extends WorkerDeps {
  feed: Pick<ChangeFeed, "subscribe" | "subscribeRows">;
  closePatienceMs?: number;
}

/** The worker of a process, woken by notices of the change feed, by the end of each mail, and by the clock. */
export function createOutbox(deps: OutboxDeps): Outbox {
  const { pool, feed, transport, log, now, closePatienceMs = CLOSE_PATIENCE_MS } = deps;
  const notices = createNotices(pool, log);
  const publish = (ids: readonly number[]) => notices.publish(MESSAGE_MODEL, toRowChange("updated", ids));
  const worker = createOutboxWorker(deps, (id) => {
    publish([id]);
    wake();
  });
  let state: "new" | "open" | "closed" = "new";
  let looking: Promise<void> | undefined;
  let isAskedAgain = false;
  let timer: NodeJS.Timeout | undefined;

  /** Of the latest look; before the first one the clock may have been anywhere. */
  let lookedAt = Number.POSITIVE_INFINITY;

  async function look(): Promise<number> {
    const at = now();
    const wentBack = at.getTime() < lookedAt;
    lookedAt = at.getTime();
    if (wentBack) await pullBackDue(pool, at, LATEST_ATTEMPT_MS);
    do {
      isAskedAgain = false;
      const leased = await worker.lease(pool);
      if (leased.length > 0) publish(leased.map(({ id }) => id));
      worker.begin(leased);
    } while (isAskedAgain && state === "open");
    const next = await selectNextDue(pool);
    if (next === undefined) return LOOK_EVERY_MS;
    const wait = new Date(next).getTime() - now().getTime();
    return Math.min(Math.max(wait, BUSY_MS), LOOK_EVERY_MS);
  }

  /** One look at a time; a call meanwhile makes it look once more. */
  function wake(): void {
    if (state !== "open") return;
    isAskedAgain = true;
    looking ??= look()
      .catch((error: unknown) => {
        log.error({ err: error }, "the outbox could not be read; no mail is sent until it can");
        return RETRY_MS;
      })
      .then((waitMs) => {
        looking = undefined;
        clearTimeout(timer);
        if (state !== "open") return;
        if (isAskedAgain) wake();
        else timer = setTimeout(wake, waitMs).unref();
      });
  }

  feed.subscribeRows((modelKey, { isMany }) => {
    // What an outbox publishes names its mails: there is nothing new to send.
    if (modelKey === MESSAGE_MODEL && isMany) wake();
  });
  feed.subscribe((modelKey) => {
    if (modelKey === undefined) wake();
  });

  return {
    start() {
      state = "open";
      wake();
    },
    async close() {
      state = "closed";
      clearTimeout(timer);
      const patience = sleep(closePatienceMs, undefined, { ref: false });
      await Promise.race([looking, patience]);
      await Promise.race([worker.settle(), patience]);
      await transport.close();
      // What was cut off is recorded as to be tried again; without that its lease ends.
      await Promise.race([
        worker.settle().then(notices.close),
        sleep(CUT_PATIENCE_MS, undefined, { ref: false }),
      ]);
    },
  };
}
