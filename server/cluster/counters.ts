import { createHmac } from "node:crypto";
import type { OpenCounter } from "../base/counters.ts";
import { countAlong } from "./along-memory.ts";
import { type Redis, RedisAwayError } from "./redis.ts";

interface CounterDeps {
  redis: Pick<Redis, "ask" | "client" | "isUp">;
  /** This process's own counts. */
  memory: OpenCounter;
  /** Tells sites apart that share a Redis: the same in every process of this one. */
  site: string;
  /** Hides keys, which are names and addresses of people: the same in every process of the site. */
  hide(text: string): string;
  log: { warn(details: object, message: string): void };
}

/**
 * One step, so that those who ask at once at several processes are counted one after the other: counts where there is room, takes back
 * down to nothing, and then the window begins with the next one. KEYS: the count. ARGV: 1 or -1, seconds of the window, the most.
 * Returns the count, above the most where it was full, and the milliseconds left.
 */
const WINDOW_SCRIPT = `
local count = tonumber(redis.call('get', KEYS[1]) or 0)
local change = tonumber(ARGV[1])
if change > 0 and count >= tonumber(ARGV[3]) then
  return {count + change, redis.call('pttl', KEYS[1])}
end
if count + change <= 0 then
  redis.call('del', KEYS[1])
  return {0, 0}
end
if count == 0 then
  redis.call('set', KEYS[1], change, 'EX', ARGV[2])
else
  redis.call('incrby', KEYS[1], change)
end
return {count + change, redis.call('pttl', KEYS[1])}`;

const toSeconds = (ms: number) => Math.max(1, Math.ceil(ms / 1000));

/** Hides texts by a secret, so that who reads Redis learns no names. */
export const createHider = ([secret]: readonly [Buffer, ...Buffer[]]) => ({
  hide: (text: string) => createHmac("sha256", secret).update(text).digest("base64url").slice(0, 22),
});

/**
 * Counts that the processes of a site share. Each counts in its memory as well, and refuses where either is full: a Redis that goes, or
 * comes back empty however often, leaves every process at least as strict as it is alone, and nobody waits for one that is known to be away.
 * What was counted in Redis and given back while it was away stays counted there to the end of its window.
 * The library is loaded here, so that a site without Redis doesn't pay for it (20 ms).
 */
export async function openRedisCounters(deps: CounterDeps): Promise<OpenCounter> {
  const { redis, memory, site, log } = deps;
  const { RateLimiterRedis, RateLimiterRes } = await import("rate-limiter-flexible");
  let isRefused = false;

  /** Undefined: Redis can't say, and memory is what counts. */
  async function ask<Answer>(question: Parameters<typeof redis.ask<Answer>>[0]): Promise<Answer | undefined> {
    // Cheaper than the error that says the same.
    if (!redis.isUp) return undefined;
    try {
      const answer = await redis.ask(question);
      isRefused = false;
      return answer;
    } catch (error) {
      // It went, and its connection says so; or it is there and refuses, for want of memory or a password.
      if (!(error instanceof RedisAwayError) && !isRefused) {
        isRefused = true;
        log.warn({ err: error }, "Redis refuses to count: each process has limits of its own meanwhile");
      }
      return undefined;
    }
  }

  return (name, rule) => {
    const keyPrefix = `foyer:${site}:limit:${name}`;
    const limiter = new RateLimiterRedis({
      storeClient: redis.client,
      useRedisPackage: true,
      keyPrefix,
      points: rule.max,
      duration: toSeconds(rule.windowMs),
      customIncrTtlLuaScript: WINDOW_SCRIPT,
    });
    const hide = (key: string) => deps.hide(`${name} ${key}`);

    /** Seconds to wait; 0: counted. */
    const consume = (hidden: string) =>
      limiter.consume(hidden).then(
        () => 0,
        (refusal: unknown) => {
          if (refusal instanceof RateLimiterRes) return toSeconds(refusal.msBeforeNext);
          throw refusal;
        },
      );

    return countAlong(memory(name, rule), {
      async take(key) {
        const hidden = hide(key);
        const waitS = await ask(() => consume(hidden));
        return waitS === undefined ? undefined : { waitS, giveBack: () => ask(() => limiter.reward(hidden)) };
      },
      async getWaitS(key) {
        const found = await ask(() => limiter.get(hide(key)));
        return found && found.consumedPoints >= rule.max ? toSeconds(found.msBeforeNext) : undefined;
      },
      isFirstRefusal: (key) =>
        ask(async (client) => {
          const hidden = hide(key);
          const leftMs = (await limiter.get(hidden))?.msBeforeNext ?? 0;
          const value = leftMs > 0 ? leftMs : rule.windowMs;
          const expiration = { type: "PX", value } as const;
          return (
            (await client.set(`${keyPrefix}:refused:${hidden}`, "", { condition: "NX", expiration })) !== null
          );
        }),
    });
  };
}
