import { fork } from "node:child_process";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { createTestDatabase } from "#test/database.ts";
import setUp from "#test/global-setup.ts";
import { waitForMessage } from "./load/wait-for-message.ts";
import { printFigures } from "./mail/figure.ts";
import { closeServer, writeCarefully } from "./mail/open-site.ts";
import type { OutboxRun, OutboxTimes } from "./mail/outbox-process.ts";

/**
 * `npm run bench:mail-outbox -- --against ../before [--mails 1500 --rounds 6]`: how fast the outbox hands mails to a server on
 * loopback, against another checkout (with its `node_modules`) whose outbox keeps no events. The two take turns, each time on an
 * empty database, and the pairs of one turn are compared, so that other work on the machine meets both. Such a checkout:
 * `git worktree add ../before cc81f30 && ln -s "$PWD/node_modules" ../before/node_modules`.
 */
const { values: options } = parseArgs({
  options: {
    against: { type: "string" },
    mails: { type: "string", default: "1500" },
    rounds: { type: "string", default: "6" },
  },
});
if (!options.against) throw new Error("--against wants the folder of another checkout");
const BAR = 0.9;
const HERE = resolve(import.meta.dirname, "..");
const THERE = resolve(options.against);
const MAILS = Number(options.mails);

function toMedian(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const [low, high] = [Math.floor((sorted.length - 1) / 2), Math.floor(sorted.length / 2)];
  return ((sorted[low] ?? Number.NaN) + (sorted[high] ?? Number.NaN)) / 2;
}

await setUp();
await writeCarefully();
const sink = fork(join(import.meta.dirname, "mail/fast-sink.ts"));
const { port } = await waitForMessage<{ port: number }>(sink);

async function run(root: string): Promise<OutboxTimes> {
  const database = await createTestDatabase({ isEmpty: true });
  const child = fork(join(import.meta.dirname, "mail/outbox-process.ts"));
  try {
    const { connection } = database;
    child.send({ root, connection, smtpUrl: `smtp://127.0.0.1:${port}`, mails: MAILS } satisfies OutboxRun);
    return await waitForMessage<OutboxTimes>(child);
  } finally {
    child.kill();
    await database.close();
  }
}

try {
  const ratios: number[] = [];
  const cpuRatios: number[] = [];
  const rates = { here: [] as number[], there: [] as number[] };
  for (let round = 0; round < Number(options.rounds); round += 1) {
    const order = round % 2 === 0 ? [THERE, HERE] : [HERE, THERE];
    const times = new Map<string, OutboxTimes>();
    for (const root of order) times.set(root, await run(root));
    const [here, there] = [times.get(HERE), times.get(THERE)];
    if (!here || !there) throw new Error("a run is missing");
    rates.here.push(MAILS / here.seconds);
    rates.there.push(MAILS / there.seconds);
    ratios.push(there.seconds / here.seconds);
    cpuRatios.push(here.cpuSeconds / there.cpuSeconds);
    console.log(
      `round ${round + 1}: ${Math.round(MAILS / here.seconds)}/s here, ${Math.round(MAILS / there.seconds)}/s there; ` +
        `CPU ${((1e3 * here.cpuSeconds) / MAILS).toFixed(2)} and ${((1e3 * there.cpuSeconds) / MAILS).toFixed(2)} ms a mail`,
    );
  }
  const ratio = toMedian(ratios);
  printFigures([
    {
      name: `outbox with events against ${options.against}`,
      bar: `≥ ${BAR}×`,
      measured: `${ratio.toFixed(2)}× (${Math.round(toMedian(rates.here))}/s against ${Math.round(toMedian(rates.there))}/s)`,
      isMet: ratio >= BAR,
    },
    {
      name: "CPU for a mail, PostgreSQL's included",
      bar: "",
      measured: `${toMedian(cpuRatios).toFixed(2)}×`,
    },
  ]);
} finally {
  sink.kill();
  await closeServer();
}
