import { bigint, customType, integer, pgTable, text, timestamp } from "drizzle-orm/pg-core";

const bytea = customType<{ data: Buffer }>({ dataType: () => "bytea" });

/**
 * Batches of log entries, each tied to the one before it (docs/decisions/029). Written once; only `gone` and `gone_signature`
 * change, when the retention takes entries away.
 */
export const auditSealTable = pgTable("audit_seal", {
  /** 1, 2, 3 … without a gap. */
  id: bigint("id", { mode: "bigint" }).primaryKey(),
  /** The seal is over entries with numbers above `after_entry` up to `last_entry`; numbers of rolled-back writes are missing. */
  after_entry: bigint("after_entry", { mode: "bigint" }).notNull(),
  last_entry: bigint("last_entry", { mode: "bigint" }).notNull(),
  entries: integer("entries").notNull(),
  /** SHA-256 in hex over number and digest of each entry, by number. */
  root: text("root").notNull(),
  /** Of each entry 8 bytes of its number and 8 of its digest: they name the one at fault. */
  listing: bytea("listing").notNull(),
  previous_hash: text("previous_hash").notNull(),
  sealed_at: timestamp("sealed_at", { withTimezone: true, mode: "string" }).notNull(),
  hash: text("hash").notNull(),
  /** HMAC of the hash, by a key that is not in the database. */
  signature: text("signature").notNull(),
  /** What the retention took: `all`, or lines of `number:digest`. Signed, so that nobody else can say so. */
  gone: text("gone"),
  gone_signature: text("gone_signature"),
});
