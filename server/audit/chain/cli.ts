import type { Command } from "commander";
import type pg from "pg";
import type { KeyPlace } from "#server/db/keys/key-place.ts";
import { withTransaction } from "#server/db/transaction.ts";
import { noteSetBack } from "../service.ts";
import { readMark } from "./mark.ts";
import { ChainKeyError, readChainKey } from "./signature.ts";
import { type ChainReport, verifyChain } from "./verify.ts";

const count = (n: number) => n.toLocaleString("en");

/** What `foyer audit verify` prints. */
function toReportText(report: ChainReport, seconds: number): string {
  const { seals, entries, retired, erased, unsealed, newest, faults } = report;
  const perSecond = seconds > 0 ? `, ${count(Math.round(entries / seconds))} a second` : "";
  return [
    `${count(entries)} sealed entries in ${count(seals)} seals were read in ${seconds.toFixed(1)} s${perSecond}.`,
    `${count(retired)} seals had entries that the retention has taken, ${count(erased)} entries had personal data that was erased, ${count(unsealed)} entries wait for their seal.`,
    // Whoever writes it down elsewhere sees later that the end was not cut off.
    ...(newest ? [`Newest seal: ${newest.id} ${newest.hash}`] : []),
    faults.length === 0 ? "The log is as it was sealed." : "The log is NOT as it was sealed:",
    ...faults.map((fault) => `  - ${fault}`),
    ...(faults.length > 0
      ? [
          "Keep the database and the newest backup as they are, and compare the entries with it (foyer restore into another folder).",
          "Where you put the database back yourself, and nothing but the log's end is missing: npm run foyer -- audit accept-end",
        ]
      : []),
  ].join("\n");
}

/** Adds `foyer audit verify` and `foyer audit accept-end`. */
export function registerAuditCommands(
  program: Command,
  site: {
    dataDir: string;
    open: () => Promise<{ pool: pg.Pool; exportPool: pg.Pool; close: () => Promise<void> }>;
    openKeys: (pool: pg.Pool) => Promise<KeyPlace>;
  },
): void {
  const audit = program.command("audit").description("the audit log");
  audit
    .command("accept-end")
    .description(
      "after you put the database back by other means than `restore`: the end that the log has now counts as seen",
    )
    .action(async () => {
      const { exportPool, close } = await site.open();
      try {
        let putMarkBack = async () => {};
        await withTransaction(exportPool, async (db) => {
          putMarkBack = await noteSetBack(db, site.dataDir, { detail: "log_end", message: "" });
        }).catch(async (error: unknown) => {
          // Without its entry nothing was accepted.
          await putMarkBack();
          throw error;
        });
        console.log("The log's end counts as it is now, and an entry of the log says so.");
      } finally {
        await close();
      }
    });
  audit
    .command("verify")
    .description("read the whole audit log and say whether anybody changed it after it was sealed")
    .option("--newest <seal>", "fail where this one, as an earlier call printed it (ID HASH), is missing")
    .action(async ({ newest }: { newest?: string }) => {
      const [id, hash] = newest?.trim().split(/\s+/) ?? [];
      if (newest !== undefined && (!id || !/^\d{1,18}$/.test(id) || !hash || !/^[0-9a-f]{64}$/.test(hash)))
        program.error('--newest wants what an earlier call printed: --newest "ID HASH"', { exitCode: 1 });
      const { pool, exportPool, close } = await site.open();
      try {
        const key = await readChainKey(await site.openKeys(pool));
        const begin = performance.now();
        const expected = id && hash ? { id, hash } : await readMark(site.dataDir);
        const report = await verifyChain(exportPool, key, expected);
        console.log(toReportText(report, (performance.now() - begin) / 1000));
        if (report.faults.length > 0) process.exitCode = 1;
      } catch (error) {
        if (error instanceof ChainKeyError) program.error(error.message, { exitCode: 1 });
        throw error;
      } finally {
        await close();
      }
    });
}
