import type { ErrorCode } from "#contract/errors.ts";
import { AppError } from "#server/base/errors.ts";
import { createWindowCounter, toAddressBlock, type WindowCounter } from "#server/base/limits.ts";

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
  | { kind: "session"; userId: number; sessionId: string };

/** Bounds wrong passwords. */
export interface LoginLimits {
  /**
   * Compares a password unless too many were wrong. Counts before comparing and gives back unless it was wrong. What comes
   * from one address, or from one person's devices or sessions, is compared one after the other, so that a hundred guesses sent
   * at once count like a hundred in a row, and none of these ever holds more than one of the places for hashing.
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

interface Place {
  counter: WindowCounter;
  key: string;
}

function takePlaces(places: readonly Place[]): () => void {
  for (const { counter, key } of places) counter.add(key);
  return () => {
    for (const { counter, key } of places) counter.remove(key);
  };
}

/** `pauseMs` is for tests. */
export function createLoginLimits(clock: () => number, pauseMs = PAUSE_MS): LoginLimits {
  const byAddress = createWindowCounter({ max: FAILURES_PER_ADDRESS, windowMs: WINDOW_MS }, clock);
  const byAccount = createWindowCounter({ max: FAILURES_PER_ACCOUNT, windowMs: WINDOW_MS }, clock);
  const byPerson = createWindowCounter({ max: FAILURES_PER_PERSON, windowMs: WINDOW_MS }, clock);
  const lanes = createLanes({ pauseMs, maxPaused: WAITING_AFTER_FAILURE });

  /** The last one is where guesses queue. */
  function toPlaces(guesser: Guesser): readonly [...Place[], Place] {
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
    }
  }

  async function requireRoom(places: readonly Place[], onFirstRefusal: () => Promise<void>): Promise<void> {
    const full = places.find(({ counter, key }) => counter.getWaitS(key) > 0);
    if (!full) return;
    const retryAfterS = full.counter.getWaitS(full.key);
    if (full.counter.isFirstRefusal(full.key)) await onFirstRefusal();
    throw new AppError("too_many_logins", { retryAfterS });
  }

  return {
    async attempt(guesser, { wrong, onFirstRefusal }, compare) {
      const places = toPlaces(guesser);
      const isWrong = (error: unknown) => error instanceof AppError && error.code === wrong;
      await requireRoom(places, onFirstRefusal);
      const lane = places[places.length - 1] as Place; // the tuple's type says that there is one
      const compareInTurn = async () => {
        await requireRoom(places, onFirstRefusal);
        const giveBack = takePlaces(places);
        try {
          const answer = await compare();
          giveBack();
          return answer;
        } catch (error) {
          if (!isWrong(error)) giveBack();
          throw error;
        }
      };
      return lanes.run(lane.key, compareInTurn, isWrong).catch(async (error: unknown) => {
        if (!(error instanceof Crowded)) throw error;
        if (lane.counter.isFirstRefusal(lane.key)) await onFirstRefusal();
        throw new AppError("too_many_logins", {
          retryAfterS: Math.ceil((WAITING_AFTER_FAILURE * PAUSE_MS) / 1000),
        });
      });
    },
  };
}

/** Runs work of the same key in order, one at a time. */
export interface Lanes {
  /**
   * After work that answers `isWrong`, the key's next one starts `pauseMs` later, and few wait for that: the others, and those
   * who come while it is so, are refused.
   * @throws Crowded.
   */
  run<Answer>(
    key: string,
    work: () => Promise<Answer>,
    isWrong: (error: unknown) => boolean,
  ): Promise<Answer>;
}

/** Too many wait already. */
class Crowded extends Error {
  override name = "Crowded";
}

interface Lane {
  isBusy: boolean;
  /** Since the last one was wrong. */
  isPaused: boolean;
  waiting: PromiseWithResolvers<void>[];
}

const MAX_WAITING = 100;

function createLanes({ pauseMs, maxPaused }: { pauseMs: number; maxPaused: number }): Lanes {
  const lanes = new Map<string, Lane>();

  async function enter(lane: Lane): Promise<void> {
    if (!lane.isBusy) {
      lane.isBusy = true;
      return;
    }
    if (lane.waiting.length >= (lane.isPaused ? maxPaused : MAX_WAITING)) throw new Crowded();
    const turn = Promise.withResolvers<void>();
    lane.waiting.push(turn);
    await turn.promise;
  }

  /** Whoever leaves hands the place over. */
  function pass(key: string, lane: Lane): void {
    lane.isPaused = false;
    const next = lane.waiting.shift();
    if (next) next.resolve();
    else lanes.delete(key);
  }

  function pause(key: string, lane: Lane): void {
    lane.isPaused = true;
    for (const turn of lane.waiting.splice(maxPaused)) turn.reject(new Crowded());
    setTimeout(() => pass(key, lane), pauseMs).unref();
  }

  return {
    async run(key, work, isWrong) {
      const lane = lanes.get(key) ?? { isBusy: false, isPaused: false, waiting: [] };
      lanes.set(key, lane);
      await enter(lane);
      let leave = pass;
      try {
        return await work();
      } catch (error) {
        if (pauseMs > 0 && isWrong(error)) leave = pause;
        throw error;
      } finally {
        leave(key, lane);
      }
    },
  };
}
