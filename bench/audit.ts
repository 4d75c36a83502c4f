import { performance } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { createSealer } from "#server/audit/chain/seal.ts";
import { verifyChain } from "#server/audit/chain/verify.ts";
import { recordAudit } from "#server/audit/service.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { asLogOwner, createTestDatabase } from "#test/database.ts";
import setUp from "#test/global-setup.ts";
import { printFigures } from "./mail/figure.ts";
import { closeServer } from "./mail/open-site.ts";

/**
 * `npm run bench:audit [-- --entries 1000000 --writes 2000 --rounds 8]`: how long the chain of the audit log takes to seal and to
 * verify, and what it costs a write. The write is the one that has least beside its entry: a row of one table, and the entry, in
 * a transaction. It is done with and without the columns of the chain in turns, and the median of the pairs counts.
 */
const { values: options } = parseArgs({
  options: {
    entries: { type: "string", default: "1000000" },
    writes: { type: "string", default: "2000" },
    rounds: { type: "string", default: "8" },
  },
});
const [ENTRIES, WRITES, ROUNDS] = [options.entries, options.writes, options.rounds].map(Number) as [
  number,
  number,
  number,
];
const KEY = Buffer.alloc(32, 1);
const VERIFY_BAR_S = 30;
const WRITE_BAR = 1.05;

const toMedian = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

await setUp();
const database = await createTestDatabase();
const { pool } = database;

/** Seconds for `WRITES` changes of a row with their entries, one after the other. */
async function write(): Promise<number> {
  const client = await pool.connect();
  try {
    return await time(async () => {
      for (let i = 0; i < WRITES; i++) {
        await client.query("BEGIN");
        await client.query("UPDATE site_settings SET updated_at = now()");
        await recordAudit(client, SYSTEM_ACTOR, {
          action: "UPDATE",
          objectRepr: `Entry ${i}`,
          changes: { title: { before: "a", after: "b" } },
        });
        await client.query("COMMIT");
      }
    });
  } finally {
    client.release();
  }
}

const withSalts = (isOn: boolean) =>
  asLogOwner(
    pool,
    ["actor", "object"]
      .map(
        (name) =>
          `ALTER TABLE audit_entry ALTER ${name}_salt ${isOn ? "SET DEFAULT gen_random_uuid()" : "DROP DEFAULT"}`,
      )
      .join("; "),
  );

try {
  await write(); // pays for what is made once
  const ratios: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times = { on: 0, off: 0 };
    for (const side of round % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
      await withSalts(side === "on");
      times[side] = await write();
    }
    ratios.push(times.on / times.off);
  }
  await withSalts(true);
  await asLogOwner(pool, "TRUNCATE audit_entry");
  await pool.query(
    `INSERT INTO audit_entry (timestamp, user_id, username, action_type, content_type_id, object_id, object_repr, change_message, changes, ip_address, request_id)
     SELECT now() - n * interval '1 minute', n % 40, 'person_' || n % 40, 'UPDATE', n % 30, n::text, 'Object number ' || n, 'Changed title, body',
       jsonb_build_object('title', jsonb_build_object('before', 'Title ' || n, 'after', 'Title ' || n + 1)), '192.0.2.' || n % 250, md5(n::text)
     FROM generate_series(1, $1::integer) n`,
    [ENTRIES],
  );
  const sealing = await time(() => createSealer({ pool, key: KEY, now: () => new Date() }).seal());
  const begin = performance.now();
  const report = await verifyChain(pool, KEY);
  const seconds = (performance.now() - begin) / 1000;
  if (report.entries !== ENTRIES || report.faults.length > 0) throw new Error(report.faults.join("\n"));
  const ratio = toMedian(ratios);
  printFigures([
    {
      name: `${ENTRIES} entries verified`,
      bar: `≤ ${VERIFY_BAR_S} s`,
      measured: `${seconds.toFixed(1)} s (${Math.round(ENTRIES / seconds)} a second)`,
      isMet: seconds <= VERIFY_BAR_S,
    },
    {
      name: "the same sealed",
      bar: "",
      measured: `${sealing.toFixed(1)} s (${Math.round(ENTRIES / sealing)} a second)`,
    },
    {
      name: `a write with the chain, to one without (${ROUNDS} pairs of ${WRITES})`,
      bar: `≤ ${WRITE_BAR}×`,
      measured: `${ratio.toFixed(3)}×`,
      isMet: ratio <= WRITE_BAR,
    },
  ]);
} finally {
  await database.close();
  await closeServer();
}
