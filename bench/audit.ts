import { readFileSync } from "node:fs";
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
import { toMedian } from "./socket/figure.ts";

/**
 * `npm run bench:audit [-- --entries 1000000 --writes 100 --rounds 200]`: how long the chain of the audit log takes to seal and to
 * verify, and what it costs a write. The write is the one that has least beside its entry: a row of one table, and the entry, in
 * a transaction. It is done with and without the columns of the chain in turns, and what counts is the time that Node and the
 * connection's own process of PostgreSQL computed for all of them: what else the machine does is not in it.
 */
const { values: options } = parseArgs({
  options: {
    entries: { type: "string", default: "1000000" },
    writes: { type: "string", default: "100" },
    rounds: { type: "string", default: "200" },
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

async function time(work: () => Promise<unknown>): Promise<number> {
  const begin = performance.now();
  await work();
  return (performance.now() - begin) / 1000;
}

await setUp();
const database = await createTestDatabase();
const { pool } = database;

const writer = await pool.connect();
const { rows } = await writer.query<{ pid: number }>("SELECT pg_backend_pid() AS pid");

/** Microseconds that both processes computed so far. */
function readComputedUs(): number {
  const { user, system } = process.cpuUsage();
  // The first field is the time on a core, in nanoseconds.
  const [ns] = readFileSync(`/proc/${rows[0]?.pid}/schedstat`, "utf8").split(" ");
  return user + system + Number(ns) / 1000;
}

/** What `WRITES` changes of a row with their entries cost, one after the other, in microseconds each. */
async function write(): Promise<number> {
  const before = readComputedUs();
  for (let i = 0; i < WRITES; i++) {
    await writer.query("BEGIN");
    await writer.query("UPDATE site_settings SET updated_at = now()");
    await recordAudit(writer, SYSTEM_ACTOR, {
      action: "UPDATE",
      objectRepr: `Entry ${i}`,
      changes: { title: { before: "a", after: "b" } },
    });
    await writer.query("COMMIT");
  }
  return (readComputedUs() - before) / WRITES;
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
  const costs = { on: [] as number[], off: [] as number[] };
  for (let round = 0; round < ROUNDS; round++) {
    for (const side of round % 2 === 0 ? (["on", "off"] as const) : (["off", "on"] as const)) {
      await withSalts(side === "on");
      await write(); // plans anew, behind the change of the table
      costs[side].push(await write());
    }
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
  const cpuBefore = process.cpuUsage();
  const begin = performance.now();
  const report = await verifyChain(pool, KEY);
  const seconds = (performance.now() - begin) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  if (report.entries !== ENTRIES || report.faults.length > 0) throw new Error(report.faults.join("\n"));
  const [on, off] = [toMedian(costs.on), toMedian(costs.off)];
  const ratio = on / off;
  printFigures([
    {
      name: `${ENTRIES} entries verified`,
      bar: `≤ ${VERIFY_BAR_S} s`,
      measured: `${seconds.toFixed(1)} s (${Math.round(ENTRIES / seconds)} a second), Node computed ${((cpu.user + cpu.system) / 1e6).toFixed(1)} s of it`,
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
      measured: `${ratio.toFixed(3)}× (${on.toFixed(0)} and ${off.toFixed(0)} µs)`,
      isMet: ratio <= WRITE_BAR,
    },
  ]);
} finally {
  writer.release();
  await database.close();
  await closeServer();
}
