import { createHash } from "node:crypto";
import type pg from "pg";
import type { Queryable } from "#server/db/pool.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { hashSeal, NO_SEAL, signGone, signSeal } from "./signature.ts";
import {
  insertSeal,
  readContent,
  selectAging,
  selectBatchEnd,
  selectHighestNumber,
  selectLastSeal,
  selectWriters,
  updateGone,
} from "./store.ts";

/** Any number, the same in every version: one process at a time seals. */
const SEAL_LOCK = 4_701_933;
const BATCH_MAX = 10_000;
/** Below every number, so that an entry smuggled in under the first one is in a batch too. */
const LOWEST = "-9223372036854775808";

interface SealerDeps {
  pool: pg.Pool;
  key: Buffer;
  now(): Date;
  batchMax?: number;
}

/** One batch after the newest seal, of entries up to a number. @returns whether there was one. */
async function sealBatch(
  { pool, key, now, batchMax = BATCH_MAX }: SealerDeps,
  until: string,
): Promise<boolean> {
  return withTransaction(pool, async (db) => {
    const { rows } = await db.query<{ mine: boolean }>("SELECT pg_try_advisory_xact_lock($1) AS mine", [
      SEAL_LOCK,
    ]);
    if (!rows[0]?.mine) return false; // another process seals the same entries
    const last = await selectLastSeal(db);
    const after_entry = last?.last_entry ?? LOWEST;
    const last_entry = await selectBatchEnd(db, { after: after_entry, until, size: batchMax });
    if (last_entry === null) return false;
    const { entries, root, listing } = await readContent(db, { after_entry, last_entry }, null);
    const facts = {
      id: String(BigInt(last?.id ?? 0) + 1n),
      after_entry,
      last_entry,
      entries,
      root,
      listing_hash: createHash("sha256").update(Buffer.from(listing, "hex")).digest("hex"),
      previous_hash: last?.hash ?? NO_SEAL,
      sealed_ms: String(now().getTime()),
    };
    const hash = hashSeal(facts);
    await insertSeal(db, { ...facts, hash, signature: signSeal(key, hash) }, listing);
    return true;
  });
}

/** Ties new entries to the chain. Nothing that writes the log waits for it or knows of it. */
export interface Sealer {
  /**
   * Seals entries whose writers have all ended. A number may have been given to a write that still runs: what stands above the
   * highest number of the last call waits until every write that ran then is over, so that none comes in late below a seal.
   * @returns how many batches
   */
  seal(): Promise<number>;
}

export function createSealer(deps: SealerDeps): Sealer {
  const { pool } = deps;
  let mark: { until: string; writers: Set<string> } | undefined;

  const setMark = async () => {
    const until = await selectHighestNumber(pool);
    // After the number, never before it: whoever got one up to it holds the lock by now, or has ended.
    mark = { until, writers: new Set(await selectWriters(pool)) };
    return mark;
  };

  return {
    async seal() {
      let current = mark;
      if (current) {
        const running = new Set(await selectWriters(pool));
        current.writers = new Set([...current.writers].filter((writer) => running.has(writer)));
      } else current = await setMark();
      if (current.writers.size > 0) return 0;
      let sealed = 0;
      while (await sealBatch(deps, current.until)) sealed++;
      mark = undefined;
      return sealed;
    },
  };
}

/**
 * Notes in the seals which entries the retention is about to take, those from before a moment: the chain stays provable without
 * them. Called before they are deleted; where that fails, they are still good. A batch that differs from its seal is not signed for:
 * what somebody changed, so that the retention would take it along, is missing afterwards for everybody who looks.
 */
export async function noteRetired(db: Queryable, key: Buffer, before: Date): Promise<void> {
  for (const { going, ...seal } of await selectAging(db, before.toISOString())) {
    const { id, hash, entries, gone } = seal;
    const content = await readContent(db, seal, gone);
    if (content.root !== seal.root || content.entries !== entries) continue;
    const lines = [...new Set([...(gone?.split(",") ?? []), ...going.split(",")])];
    const noted = lines.length === entries ? "all" : lines.join(",");
    await updateGone(db, id, noted, signGone(key, hash, noted));
  }
}
