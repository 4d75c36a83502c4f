import { RateLimiterMemory } from "rate-limiter-flexible";
import { toAddressBlock } from "#server/http/address-block.ts";
import { AppError } from "#server/http/errors.ts";

const WINDOW_S = 15 * 60;
const FAILURES_PER_ADDRESS = 20;
/** Per account and address: a stranger's guesses never lock the owner out. */
const FAILURES_PER_ACCOUNT = 5;

/** Bounds wrong log-ins. */
export interface LoginLimits {
  /**
   * Runs a sign-in unless its address or account had too many wrong ones; counts it only if it answers
   * invalid_credentials. Sign-ins of one address run one after the other, so that a hundred guesses sent at once count
   * like a hundred in a row, and one address never holds more than one of the places for hashing.
   * @throws AppError too_many_logins with the seconds to wait.
   */
  attempt<Answer>(
    who: { username: string; ipAddress: string | null },
    signIn: () => Promise<Answer>,
  ): Promise<Answer>;
}

/** Runs work with the same key in order, each after the one before settled. */
function createQueues() {
  const last = new Map<string, Promise<unknown>>();
  return async <Answer>(key: string, work: () => Promise<Answer>): Promise<Answer> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(work);
    const settled = mine.catch(() => undefined); // the fault is the caller's, not the next one's
    last.set(key, settled);
    try {
      return await mine;
    } finally {
      if (last.get(key) === settled) last.delete(key);
    }
  };
}

async function requireRoom(counter: RateLimiterMemory, key: string): Promise<void> {
  const state = await counter.get(key);
  if (state && state.consumedPoints >= counter.points && state.msBeforeNext > 0) {
    throw new AppError("too_many_logins", { retryAfterS: Math.ceil(state.msBeforeNext / 1000) });
  }
}

/** Counts in this process's memory; a restart forgets. */
export function createLoginLimits(): LoginLimits {
  const byAddress = new RateLimiterMemory({ points: FAILURES_PER_ADDRESS, duration: WINDOW_S });
  const byAccount = new RateLimiterMemory({ points: FAILURES_PER_ACCOUNT, duration: WINDOW_S });
  const inOrder = createQueues();
  return {
    attempt({ username, ipAddress }, signIn) {
      const address = toAddressBlock(ipAddress);
      const account = `${address} ${username.toLowerCase()}`;
      return inOrder(address, async () => {
        await requireRoom(byAddress, address);
        await requireRoom(byAccount, account);
        try {
          return await signIn();
        } catch (error) {
          if (error instanceof AppError && error.code === "invalid_credentials") {
            await byAddress.penalty(address);
            await byAccount.penalty(account);
          }
          throw error;
        }
      });
    },
  };
}
