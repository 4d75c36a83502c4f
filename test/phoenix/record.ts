import { mkdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { CHANNEL_SCENARIOS } from "./channel-scenarios.ts";
import { LONGPOLL_SCENARIOS } from "./longpoll-scenarios.ts";
import { Player } from "./player.ts";
import { type RecordedLine, Recording } from "./recording.ts";
import type { Scenario } from "./scenario.ts";
import { SHUTDOWN_SCENARIO, SOCKET_SCENARIOS } from "./socket-scenarios.ts";

// Plays the scenarios against a server of the Phoenix Channels protocol and writes what its clients saw:
//   node test/phoenix/record.ts --url ws://127.0.0.1:4100 --out out [--only 05,31] [--server label] [--model folder]
// --model names earlier recordings: pauses last until this server has sent as much.
// With PEERPID, the server's process id, it also plays the scenario that ends the server.

const PAUSE_BETWEEN_MS = 100;

const { values } = parseArgs({
  options: {
    url: { type: "string", default: "ws://127.0.0.1:4100" },
    out: { type: "string", default: "./out" },
    only: { type: "string", default: "" },
    model: { type: "string" },
    server: { type: "string", default: "phoenix 1.8.12 + bandit 1.12.5" },
  },
});
const serverPid = process.env.PEERPID ? Number(process.env.PEERPID) : undefined;

const scenarios = [
  ...CHANNEL_SCENARIOS,
  ...SOCKET_SCENARIOS,
  ...LONGPOLL_SCENARIOS,
  ...(serverPid === undefined ? [] : [SHUTDOWN_SCENARIO]),
].sort((a, b) => a.id.localeCompare(b.id));

let current = new Recording();
for (const event of ["uncaughtException", "unhandledRejection"]) {
  process.on(event, (reason) => current.add({ dir: "api", event, message: String(reason) }));
}

async function readModel(id: string): Promise<RecordedLine[]> {
  if (!values.model) return [];
  const [, ...lines] = (await readFile(join(values.model, `${id}.jsonl`), "utf8")).trim().split("\n");
  return lines.map((line): RecordedLine => JSON.parse(line));
}

async function record(scenario: Scenario): Promise<void> {
  const recording = new Recording();
  current = recording;
  const player = new Player(recording, values.url, { serverPid, model: await readModel(scenario.id) });
  try {
    await scenario.play(player);
    await player.catchUp();
  } catch (error) {
    const message = error instanceof Error ? error.stack : String(error);
    recording.add({ dir: "api", event: "scenario exception", message });
  }
  player.close();
  const { id, title } = scenario;
  const header = { scenario: id, title, server: values.server, client: "npm phoenix 1.8.16 / ws" };
  await recording.save(values.out, header);
  console.log(id, recording.length);
}

const wanted = values.only === "" ? undefined : values.only.split(",");
await mkdir(values.out, { recursive: true });
for (const scenario of scenarios) {
  if (wanted && !wanted.some((start) => scenario.id.startsWith(start))) continue;
  await record(scenario);
  await pause(PAUSE_BETWEEN_MS);
}
process.exit(0);
