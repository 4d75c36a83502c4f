import type { ErrorCode } from "#contract/errors.ts";
import { toAddressBlock } from "#server/base/actor.ts";
import { findFull, type LimitSlot, type OpenCounter, takeSlots } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import type { FactorPlace } from "../factors/store.ts";

const WINDOW_MS = 15 * 60 * 1000;
const FAILURES_PER_ADDRESS = 20;
/** Per account from anywhere, per known device, and per session that confirms its password. */
const FAILURES_PER_ACCOUNT = 5;
/** Of all known devices of a person together, and of all their sessions: many of them are no way round. */
const FAILURES_PER_PERSON = 20;
/**
 * After a wrong password the address's next one is compared this much later: shorter than anybody types, and long enough that
 * guesses leave the time for hashing to others.
 */
const PAUSE_MS = 2000;
const WAITING_AFTER_FAILURE = 3;

/** Whose wrong passwords are counted together. */
export type Guesser =
  | { kind: "stranger"; username: string; ipAddress: string | null }
  | { kind: "device"; userId: number; nonce: string }
  | { kind: "session"; userId: number; sessionId: string }
  /** The password was right, the second factor isn't. Those of the day are counted in the database (`factors/codes.ts`). */
  | { kind: "factor"; userId: number; from: FactorPlace };

/** Bounds wrong passwords. */
export interface LoginLimits {
  /**
   * Compares a password unless too many were wrong. Counts before comparing and gives back unless it was wrong. What comes
   * from one address, or from one person's devices or sessions, is compared one after the other, so that a hundred guesses sent
   * at once count like a hundred in a row, and none of these ever holds more than one of the slots for hashing.
   * @param wrong The code that a wrong password throws.
   * @param onFirstRefusal Called once in each window in which somebody is refused.
   * @throws AppError too_many_logins with the seconds to wait.
   */
  attempt<Answer>(
    guesser: Guesser,
    options: { wrong: ErrorCode; onFirstRefusal: () => Promise<void> },
    compare: () => Promise<Answer>,
  ): Promise<Answer>;
}

/** `pauseMs` is for tests. */
export function createLoginLimits(openCounter: OpenCounter, pauseMs = PAUSE_MS): LoginLimits {
  const byAddress = openCounter("login.address", { max: FAILURES_PER_ADDRESS, windowMs: WINDOW_MS });
  const byAccount = openCounter("login.account", { max: FAILURES_PER_ACCOUNT, windowMs: WINDOW_MS });
  const byPerson = openCounter("login.person", { max: FAILURES_PER_PERSON, windowMs: WINDOW_MS });
  const queues = createQueues({ pauseMs, maxPaused: WAITING_AFTER_FAILURE });

  /** The last one is where guesses queue. */
  function toSlots(guesser: Guesser): readonly [...LimitSlot[], LimitSlot] {
    switch (guesser.kind) {
      case "stranger":
        return [
          { counter: byAccount, key: `account ${guesser.username.toLowerCase()}` },
          { counter: byAddress, key: `address ${toAddressBlock(guesser.ipAddress)}` },
        ];
      case "device":
        return [
          { counter: byAccount, key: `device ${guesser.nonce}` },
          { counter: byPerson, key: `devices of ${guesser.userId}` },
        ];
      case "session":
        return [
          { counter: byAccount, key: `session ${guesser.sessionId}` },
          { counter: byPerson, key: `sessions of ${guesser.userId}` },
        ];
      case "factor":
        return [{ counter: byAccount, key: `factor ${guesser.userId} ${guesser.from}` }];
    }
  }

  async function refuse(
    { counter, key }: LimitSlot,
    retryAfterS: number,
    onFirstRefusal: () => Promise<void>,
  ): Promise<never> {
    if (await counter.isFirstRefusal(key)) await onFirstRefusal();
    throw new AppError("too_many_logins", { retryAfterS });
  }

  async function requireRoom(
    slots: readonly LimitSlot[],
    onFirstRefusal: () => Promise<void>,
  ): Promise<void> {
    const full = await findFull(slots);
    if (full) await refuse(full.slot, full.waitS, onFirstRefusal);
  }

  return {
    async attempt(guesser, { wrong, onFirstRefusal }, compare) {
      const slots = toSlots(guesser);
      const isWrong = (error: unknown) => error instanceof AppError && error.code === wrong;
      await requireRoom(slots, onFirstRefusal);
      const queued = slots[slots.length - 1] as LimitSlot; // the tuple's type says that there is one
      const compareInTurn = async () => {
        const taking = await takeSlots(slots);
        if (!taking.isTaken) return refuse(taking.slot, taking.waitS, onFirstRefusal);
        let isCounted = false;
        try {
          return await compare();
        } catch (error) {
          isCounted = isWrong(error);
          throw error;
        } finally {
          if (!isCounted) await taking.giveBack();
        }
      };
      return queues.run(queued.key, compareInTurn, isWrong).catch((error: unknown) => {
        if (!(error instanceof QueueFullError)) throw error;
        const retryAfterS = Math.ceil((WAITING_AFTER_FAILURE * PAUSE_MS) / 1000);
        return refuse(queued, retryAfterS, onFirstRefusal);
      });
    },
  };
}

const HOUR_MS = 60 * 60 * 1000;
/** What the owners are alerted of; the settings of alerts say so too. Windows begin with the first failure. */
const BURST_OF_ACCOUNT = { max: 20, windowMs: HOUR_MS };
const BURST_OF_SITE = { max: 100, windowMs: 10 * 60 * 1000 };
/** What a guesser is told. */
const FAILED: readonly ErrorCode[] = [
  "invalid_credentials",
  "invalid_second_factor",
  "passkey_unknown",
  "too_many_logins",
];

/** Counts failed log-ins, refused ones too, and says when there are many. */
export interface BurstCounter {
  /** @param username as it was typed; undefined: the log-in names none. */
  count<Answer>(
    username: string | undefined,
    ipAddress: string | null,
    logIn: () => Promise<Answer>,
  ): Promise<Answer>;
  /** Once what was begun is written. */
  close(): Promise<void>;
}

/** `alert` is called once in each window, beside the answer, whose time shows nothing of it. It reports its own failures. */
export function createBurstCounter(
  openCounter: OpenCounter,
  alert: (burst: { username?: string; count: number; ipAddress: string | null }) => Promise<void>,
): BurstCounter {
  // The failure that finds no room is the burst's last one.
  const openBurst = (name: string, { max, windowMs }: typeof BURST_OF_SITE) =>
    openCounter(`login.burst.${name}`, { max: max - 1, windowMs });
  const ofAccount = openBurst("account", BURST_OF_ACCOUNT);
  const ofSite = openBurst("site", BURST_OF_SITE);
  const running = new Set<Promise<void>>();

  const isBurst = async ({ counter, key }: LimitSlot) =>
    !(await counter.take(key)).isTaken && counter.isFirstRefusal(key);
  async function note(name: string | undefined, ipAddress: string | null): Promise<void> {
    if (name !== undefined && (await isBurst({ counter: ofAccount, key: name })))
      await alert({ username: name, count: BURST_OF_ACCOUNT.max, ipAddress });
    // From one address or many: no single one is named.
    if (await isBurst({ counter: ofSite, key: "site" }))
      await alert({ count: BURST_OF_SITE.max, ipAddress: null });
  }
  const run = (work: Promise<void>) => {
    const ended = work.finally(() => running.delete(ended));
    running.add(ended);
  };

  return {
    async count(username, ipAddress, logIn) {
      try {
        return await logIn();
      } catch (error) {
        if (error instanceof AppError && FAILED.includes(error.code))
          run(note(username?.toLowerCase(), ipAddress));
        throw error;
      }
    },
    async close() {
      await Promise.all(running);
    },
  };
}

/**
 * Runs work of the same key in order, one at a time. Not p-queue's or p-limit's: those drop all that waits or nothing, and here
 * a wrong guess sends away whoever stands behind the third; a key without work costs no memory.
 */
interface Queues {
  /**
   * After work that answers `isWrong`, the key's next one starts `pauseMs` later, and few wait for that: the others, and those
   * who come while it is so, are refused.
   * @throws QueueFullError.
   */
  run<Answer>(
    key: string,
    work: () => Promise<Answer>,
    isWrong: (error: unknown) => boolean,
  ): Promise<Answer>;
}

/** Too many wait already. */
class QueueFullError extends Error {
  override name = "QueueFullError";
}

interface Queue {
  isBusy: boolean;
  /** Since the last one was wrong. */
  isPaused: boolean;
  waiting: PromiseWithResolvers<void>[];
}

const MAX_WAITING = 100;

function createQueues({ pauseMs, maxPaused }: { pauseMs: number; maxPaused: number }): Queues {
  const queues = new Map<string, Queue>();

  async function enter(queue: Queue): Promise<void> {
    if (!queue.isBusy) {
      queue.isBusy = true;
      return;
    }
    if (queue.waiting.length >= (queue.isPaused ? maxPaused : MAX_WAITING)) throw new QueueFullError();
    const turn = Promise.withResolvers<void>();
    queue.waiting.push(turn);
    await turn.promise;
  }

  /** Whoever leaves hands the turn over. */
  function pass(key: string, queue: Queue): void {
    queue.isPaused = false;
    const next = queue.waiting.shift();
    if (next) next.resolve();
    else queues.delete(key);
  }

  function pause(key: string, queue: Queue): void {
    queue.isPaused = true;
    for (const turn of queue.waiting.splice(maxPaused)) turn.reject(new QueueFullError());
    setTimeout(() => pass(key, queue), pauseMs).unref();
  }

  return {
    async run(key, work, isWrong) {
      const queue = queues.get(key) ?? { isBusy: false, isPaused: false, waiting: [] };
      queues.set(key, queue);
      await enter(queue);
      let leave = pass;
      try {
        return await work();
      } catch (error) {
        if (pauseMs > 0 && isWrong(error)) leave = pause;
        throw error;
      } finally {
        leave(key, queue);
      }
    },
  };
}
