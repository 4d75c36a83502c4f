import type { ChangeFeed } from "#server/db/change-feed.ts";
import { type KeyPlace, openKeyFolder } from "#server/db/keys/key-place.ts";
import { SITE_KEYS } from "#server/db/keys/key-table.ts";
import { findSigningKeys, readSigningKeys, type SigningKeys } from "./keys.ts";

const RETRY_MS = 5_000;

/** The signing keys of a process that runs. */
export interface KeyRing {
  /** As they are now: after a rotation it is another list. */
  current(): SigningKeys;
  /** Whether they stay what they are while the process runs. */
  isFixed: boolean;
  /** Called after each change of the list. */
  onChange(listener: () => void): void;
  close(): void;
}

/** The keys of a data folder alone. @throws SigningKeysError when they are damaged */
export async function loadSigningKeys(dataDir: string): Promise<SigningKeys> {
  return (await readSigningKeys(openKeyFolder(dataDir))).keys;
}

/** Keys that nobody changes: those of a data folder, until the next start. */
export function toFixedRing(keys: SigningKeys): KeyRing {
  return { current: () => keys, isFixed: true, onChange: () => undefined, close: () => undefined };
}

interface RingDeps {
  place: KeyPlace;
  /** Undefined: for a command, which ends before anybody rotates. */
  feed?: Pick<ChangeFeed, "subscribe" | "isLive"> | undefined;
  log: { warn(details: object, message: string): void };
  /** In place of the process's own timers. @returns what takes it back */
  after?: (ms: number, work: () => void) => () => void;
}

function afterMs(ms: number, work: () => void): () => void {
  const timer = setTimeout(work, ms).unref();
  return () => clearTimeout(timer);
}

const toKids = (keys: SigningKeys) => keys.map(({ kid }) => kid).join(" ");

/**
 * Loads the signing keys, and follows what becomes of them where all processes share them: a new one verifies as soon as it is there,
 * and signs a minute later, when every process knows it; one that is taken out is forgotten.
 * @throws SigningKeysError when they are damaged
 */
export async function openKeyRing({ place, feed, log, after = afterMs }: RingDeps): Promise<KeyRing> {
  const first = await readSigningKeys(place);
  if (!place.isShared || !feed) return toFixedRing(first.keys);
  let keys = first.keys;
  const listeners: (() => void)[] = [];
  let isClosed = false;
  let cancel = () => {};
  const schedule = (ms: number) => {
    cancel();
    if (!isClosed) cancel = after(ms, reload);
  };
  let loading = Promise.resolve();
  function reload(): void {
    loading = loading.then(load);
  }
  async function load(): Promise<void> {
    try {
      // None: they were just taken out of the database, and this process goes on with what it has.
      const found = isClosed ? undefined : await findSigningKeys(place);
      if (!found) return;
      if (toKids(found.keys) !== toKids(keys)) {
        keys = found.keys;
        for (const listener of listeners) listener();
      }
      if (found.settlesInMs > 0) schedule(found.settlesInMs);
    } catch (error) {
      if (isClosed) return;
      log.warn(
        { err: error },
        "the keys that sign log-ins could not be read again: tried once more in seconds",
      );
      schedule(RETRY_MS);
    }
  }
  feed.subscribe((model) => {
    // A connection that is back may have missed a notice.
    if (model === SITE_KEYS || (model === undefined && feed.isLive())) reload();
  });
  // From before the first look at them to now nobody listened.
  reload();
  await loading;
  return {
    current: () => keys,
    isFixed: false,
    onChange: (listener) => void listeners.push(listener),
    close() {
      isClosed = true;
      cancel();
    },
  };
}

/**
 * What is made of the keys, for as long as the process runs: each use goes to one that is made of the keys of that moment.
 * `make` gives an object of functions that need no `this`. A use costs 40 ns more where keys may change, and nothing where they are fixed.
 */
export function ofKeys<Made extends object>(ring: KeyRing, make: (keys: SigningKeys) => Made): Made {
  let keys = ring.current();
  let made = make(keys);
  if (ring.isFixed) return made;
  return new Proxy(made, {
    get(_, name) {
      const now = ring.current();
      if (now !== keys) [keys, made] = [now, make(now)];
      return Reflect.get(made, name) as unknown;
    },
  });
}
