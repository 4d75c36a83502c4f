import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { parseArgs } from "node:util";
import { makeTestFolder } from "#server/db/embedded/test-folder.ts";
import { judge } from "./outbox/judge.ts";
import { readFolderWhenSent } from "./outbox/read-outbox.ts";
import { type Registration, register } from "./outbox/register.ts";
import { startServer } from "./outbox/server-process.ts";
import { startSink } from "./outbox/sink-process.ts";

/**
 * `npm run bench:outbox [-- --rounds 100]`: people register, and the server is killed (kill -9) at a random moment of
 * "register, code, mail". Each round begins with a start that has to send what the kill left behind. Exit code 1 when a
 * registration lacks its mail or has two, a mail is lost or repeated without reason, a second code is seen, or no kill hit a
 * mail on its way, as happens with few rounds.
 * With FOYER_OUT_DIR the browser app in that folder is taken as it is, otherwise it is built first.
 */
const { values: options } = parseArgs({ options: { rounds: { type: "string", default: "100" } } });
const ROUNDS = Number(options.rounds);
const PEOPLE_PER_ROUND = 6;
/** Some are not there yet when the kill comes, some are in the middle, and some mails are on their way. */
const REGISTER_WITHIN_MS = 1_000;
const KILL_WITHIN_MS = 2_500;

if (!Number.isSafeInteger(ROUNDS) || ROUNDS < 1) throw new Error("--rounds wants a whole number above 0");
if (!process.env.FOYER_OUT_DIR) execFileSync(process.execPath, ["bin/build.mjs"], { stdio: "inherit" });

const begin = performance.now();
const { folder, remove } = await makeTestFolder();
const sink = await startSink();
const settings = {
  SMTP_URL: sink.url,
  PUBLIC_URL: "http://foyer.example",
  MAIL_FROM: "Foyer <site@foyer.example>",
  MAIL_BOUNCES: "",
  TRUST_PROXY: "true",
};
const registrations: Registration[] = [];
let server = await startServer(folder, settings);
try {
  for (let round = 1; round <= ROUNDS; round += 1) {
    const { url } = server;
    const people = Array.from({ length: PEOPLE_PER_ROUND }, async (_, index) => {
      await sleep(Math.random() * REGISTER_WITHIN_MS);
      return register(url, round, index);
    });
    await sleep(Math.random() * KILL_WITHIN_MS);
    await server.kill();
    registrations.push(...(await Promise.all(people)));
    server = await startServer(folder, settings);
    await readFolderWhenSent(folder);
    process.stderr.write(`\rround ${round} of ${ROUNDS}`);
  }
  process.stderr.write("\n");
  const verdict = judge(registrations, await readFolderWhenSent(folder), await sink.readCopies());
  const lines: [string, string | number][] = [
    ["kills", ROUNDS],
    ["registrations", registrations.length],
    ["answered 201 before the kill", verdict.answered],
    ["accounts, each with one mail", verdict.accounts],
    ["copies that the sink read to the end", verdict.copies],
    ["kills between the end of a message and its 250", verdict.cutBeforeReceipt],
    ["second copies after such a kill", verdict.repeatedAfterCut],
    ["second copies, killed as the 250 was on its way", verdict.repeatedAfterUnreadReceipt],
    ["duration", `${((performance.now() - begin) / 1000).toFixed(0)} s`],
    ["faults", `${verdict.faults.length} (bar 0)`],
  ];
  for (const [name, value] of lines) console.log(`${name.padEnd(50)}${value}`);
  for (const fault of verdict.faults) console.log(fault);
  process.exitCode = verdict.faults.length > 0 ? 1 : 0;
} finally {
  await server.stop();
  await sink.stop();
  await remove();
}
