import { AppError } from "#server/base/errors.ts";

/** Each holds two pictures of 8 MB in memory at the most, twice for a moment. */
const MAX_AT_ONCE = 6;
const RETRY_AFTER_S = 5;

/** Lets in one upload of a person at a time, and few of all people. */
export interface UploadGate {
  /** @throws AppError too_many_requests before `work` begins. */
  pass<Answer>(userId: number, work: () => Promise<Answer>): Promise<Answer>;
}

export function createUploadGate(): UploadGate {
  const inside = new Set<number>();
  return {
    async pass(userId, work) {
      if (inside.has(userId) || inside.size >= MAX_AT_ONCE)
        throw new AppError("too_many_requests", { retryAfterS: RETRY_AFTER_S });
      inside.add(userId);
      try {
        return await work();
      } finally {
        inside.delete(userId);
      }
    },
  };
}
