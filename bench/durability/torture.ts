import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endServers, readPostmasterFile } from "#server/db/embedded/server-processes.ts";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { waitForNobody } from "./folder-processes.ts";
import type { WriterMessage } from "./messages.ts";
import { startWriter, type WriterProcess } from "./writer-process.ts";

/** What all rounds together gave. The four lists must be empty. */
export interface TortureReport {
  rounds: number;
  acknowledgedRows: number;
  acknowledgedUpdates: number;
  /** Starts that recovered from a crash of the server itself. */
  recoveries: number;
  /** Duration of each start that was not killed. */
  startMs: number[];
  /** How long PostgreSQL outlived Node where the next start waited for that. */
  outlivedMs: number[];
  lost: string[];
  failedStarts: string[];
  faults: string[];
  orphans: string[];
}

/** Who is killed in the n-th round; "and wait" looks for orphans before the next start, the others start at once. */
const VICTIMS = ["node", "node and postmaster", "node, and wait", "node and postmaster"] as const;
/** Every n-th round kills while the database starts or recovers. */
const EARLY_EVERY = 5;
const EARLY_WITHIN_MS = 600;
const LATE_WITHIN_MS = 500;
const FIRST_ROW_TIMEOUT_MS = 60_000;
const ORPHAN_PATIENCE_MS = 5_000;

/** Kills a writing process again and again and looks at what is left. Ends every process it started, come what may. */
export async function runTorture(rounds: number, onRound?: (round: number) => void): Promise<TortureReport> {
  const report = newReport(rounds);
  const { folder, remove } = await makeTestFolder();
  const dataDir = join(folder, "data");
  let writer: WriterProcess | undefined;
  const last: LastReceived = { row: 0, update: 0, isKilling: false };
  const receive = (message: WriterMessage) => note(message, report, last);
  try {
    for (let round = 0; round < rounds; round += 1) {
      last.isKilling = false;
      writer = startWriter(dataDir, receive);
      await runRound(writer, round, dataDir, report, last);
      onRound?.(round + 1);
    }
    last.isKilling = false;
    writer = startWriter(dataDir, receive, ["--check"]);
    await writer.ended;
    const { orphans } = await waitForNobody(folder, ORPHAN_PATIENCE_MS);
    report.orphans.push(...orphans);
  } finally {
    writer?.child.kill("SIGKILL");
    await writer?.ended;
    await endServers(join(dataDir, "postgres"), () => undefined);
    await remove();
  }
  return report;
}

/** What was acknowledged last, over all writers. */
interface LastReceived {
  row: number;
  update: number;
  /** Its postmaster is gone already, so a complaint of the writer is no failed start. */
  isKilling: boolean;
}

function newReport(rounds: number): TortureReport {
  const counts = { rounds, acknowledgedRows: 0, acknowledgedUpdates: 0, recoveries: 0 };
  return { ...counts, startMs: [], outlivedMs: [], lost: [], failedStarts: [], faults: [], orphans: [] };
}

async function runRound(
  writer: WriterProcess,
  round: number,
  dataDir: string,
  report: TortureReport,
  last: LastReceived,
): Promise<void> {
  const isEarly = round % EARLY_EVERY === EARLY_EVERY - 1;
  if (!isEarly) {
    const isInTime = await Promise.race([
      writer.wrote.then(() => true),
      sleep(FIRST_ROW_TIMEOUT_MS, false, { ref: false }),
    ]);
    if (!isInTime)
      report.failedStarts.push(`round ${round + 1}: no row within ${FIRST_ROW_TIMEOUT_MS / 1000} s`);
  }
  await sleep(Math.random() * (isEarly ? EARLY_WITHIN_MS : LATE_WITHIN_MS));
  const victim = VICTIMS[round % VICTIMS.length] ?? "node";
  last.isKilling = true;
  if (victim === "node and postmaster") await killPostmaster(join(dataDir, "postgres"));
  writer.child.kill("SIGKILL");
  await writer.ended;
  if (victim !== "node, and wait") return;
  const { waitedMs, orphans } = await waitForNobody(dataDir, ORPHAN_PATIENCE_MS);
  report.outlivedMs.push(waitedMs);
  report.orphans.push(...orphans);
}

async function killPostmaster(cluster: string): Promise<void> {
  const file = await readPostmasterFile(cluster);
  // In an early round there may be none yet.
  if (file.kind !== "written") return;
  try {
    process.kill(file.pid, "SIGKILL");
  } catch (error) {
    if (!String(error).includes("ESRCH")) throw error;
  }
}

function note(message: WriterMessage, report: TortureReport, last: LastReceived): void {
  switch (message.kind) {
    case "row":
      report.acknowledgedRows += 1;
      last.row = message.id;
      return;
    case "update":
      report.acknowledgedUpdates += 1;
      last.update = message.count;
      return;
    case "failed":
      if (!last.isKilling) report.failedStarts.push(message.message);
      return;
    case "checked":
      report.startMs.push(message.startMs);
      if (message.didRecover) report.recoveries += 1;
      report.faults.push(...message.faults);
      // Ids are given without gaps, so the count says whether one is missing.
      if (message.rows !== message.maxId || message.rows < last.row) {
        report.lost.push(`${message.rows} rows up to id ${message.maxId}, acknowledged up to ${last.row}`);
      }
      if (message.updates < last.update) {
        report.lost.push(`${message.updates} updates, acknowledged ${last.update}`);
      }
  }
}
