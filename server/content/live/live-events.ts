import { setTimeout as sleep } from "node:timers/promises";
import type { LiveEvent } from "#contract/content/objects.ts";
import type { ChangeFeed } from "#server/db/change-feed.ts";
import { mergeChanges, type RowChange } from "#server/db/change-notices.ts";
import type { Queryable } from "#server/db/pool.ts";
import type { Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { isAllowed } from "../records/access.ts";
import { type LiveReader, toAudience, toLiveEvent, toReadAgain } from "./audience.ts";

/** At most one event of a model so often, but for the first. */
const GAP_MS = 250;
/** While nobody can say who readers are, nothing is published, and it is asked again so often. */
const ASK_AGAIN_MS = 500;

/** The listener, as they are now; undefined: signed out or suspended. Asked at each event. */
export type CurrentReader = () => LiveReader | undefined;

/** Committed writes, published to those who may read what was written. */
export interface LiveEvents {
  /** Whether there is such a model for somebody. */
  mayReceive(modelKey: string, reader: LiveReader): boolean;
  /**
   * Receives committed writes to a model, as long as the reader may see it. Events hold no values: those are read again, where
   * field rules hold.
   * @returns how to stop.
   */
  subscribe(modelKey: string, getReader: CurrentReader, listener: (event: LiveEvent) => void): () => void;
  close(): void;
}

interface Subscription {
  getReader: CurrentReader;
  listener: (event: LiveEvent) => void;
}

interface Listened {
  subscriptions: Set<Subscription>;
  changes: PacedChanges;
}

interface LiveDeps {
  pool: Queryable;
  registry: Registry;
  feed: Pick<ChangeFeed, "subscribe" | "subscribeRows">;
  log: { warn(details: object, message: string): void };
  /** Resolves when readers are as the notices so far left them; false: they may not be. */
  settled?: () => Promise<boolean>;
  /** Between two events of a model. */
  rest?: () => Promise<unknown>;
}

type Published = LiveEvent | undefined;

/** Publishes a change to all who listen to its model, with one query for each audience. */
async function publish(
  { pool, log, settled }: LiveDeps,
  model: Model,
  subscriptions: ReadonlySet<Subscription>,
  change: RowChange,
): Promise<void> {
  const warn = (err: unknown) =>
    log.warn({ err, model: model.key }, "a change could not be published to a subscriber");
  while (settled && subscriptions.size > 0 && !(await settled()))
    await sleep(ASK_AGAIN_MS, undefined, { ref: false });
  const readers = new Map<string, LiveReader>();
  const visit = (visitOne: (subscription: Subscription, reader: LiveReader, audience: string) => void) => {
    for (const subscription of subscriptions) {
      try {
        const reader = subscription.getReader();
        if (reader && isAllowed(model, "view", reader.level))
          visitOne(subscription, reader, toAudience(model, reader));
      } catch (error) {
        warn(error);
      }
    }
  };
  visit((_subscription, reader, audience) => readers.set(audience, reader));
  const readAgain = toReadAgain(model);
  const toPublished = async ([audience, reader]: [string, LiveReader]): Promise<[string, Published]> => {
    const event = await toLiveEvent(pool, model, change, reader).catch((error: unknown) => {
      warn(error);
      return readAgain;
    });
    return [audience, event];
  };
  const events = new Map<string, Published>(await Promise.all(Array.from(readers, toPublished)));
  visit(({ listener }, _reader, audience) => {
    // Who came, or whose level changed, during the queries.
    const event = events.has(audience) ? events.get(audience) : readAgain;
    if (event) listener(event);
  });
}

/** Publishes what `feed` brings, each model's changes in the order in which they were committed. */
export function createLiveEvents(deps: LiveDeps): LiveEvents {
  const { registry, feed, rest = () => sleep(GAP_MS, undefined, { ref: false }) } = deps;
  const byModel = new Map<string, Listened>();

  feed.subscribeRows((modelKey, change) => byModel.get(modelKey)?.changes.add(change));
  feed.subscribe((modelKey) => {
    if (modelKey !== undefined) return;
    // Notices may have been missed.
    for (const { changes } of byModel.values()) changes.add({ type: "updated", ids: [], isMany: true });
  });

  const listenTo = (model: Model): Listened => {
    const known = byModel.get(model.key);
    if (known) return known;
    const subscriptions = new Set<Subscription>();
    const changes = paceChanges((change) => publish(deps, model, subscriptions, change), rest);
    const listened = { subscriptions, changes };
    byModel.set(model.key, listened);
    return listened;
  };

  return {
    mayReceive(modelKey, reader) {
      const model = registry.byKey.get(modelKey);
      return model !== undefined && isAllowed(model, "view", reader.level);
    },
    subscribe(modelKey, getReader, listener) {
      const model = registry.byKey.get(modelKey);
      if (!model) throw new Error(`There is no model ${modelKey} to listen to.`);
      const listened = listenTo(model);
      const subscription = { getReader, listener };
      listened.subscriptions.add(subscription);
      return () => {
        listened.subscriptions.delete(subscription);
        if (listened.subscriptions.size > 0 || byModel.get(modelKey) !== listened) return;
        byModel.delete(modelKey);
        listened.changes.close();
      };
    },
    close() {
      for (const { changes, subscriptions } of byModel.values()) {
        changes.close();
        subscriptions.clear();
      }
      byModel.clear();
    },
  };
}

/** A model's changes on their way to those who listen. */
interface PacedChanges {
  add(change: RowChange): void;
  /** What waits is dropped. */
  close(): void;
}

/**
 * Publishes a change at once, and what comes within the rest behind it as one, so that an import doesn't publish each row.
 * While `publish` is at work nothing else is published: a slow database makes fewer events, not a queue. `publish` never
 * rejects.
 */
export function paceChanges(
  publish: (change: RowChange) => Promise<void>,
  rest: () => Promise<unknown>,
): PacedChanges {
  let waiting: RowChange | undefined;
  let isPublishing = false;
  let isClosed = false;

  const run = async () => {
    while (waiting && !isClosed) {
      const change = waiting;
      waiting = undefined;
      await Promise.all([publish(change), rest()]);
    }
    isPublishing = false;
  };
  return {
    add(change) {
      waiting = waiting ? mergeChanges(waiting, change) : change;
      if (isPublishing) return;
      isPublishing = true;
      void run();
    },
    close() {
      isClosed = true;
    },
  };
}
