import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { type ChannelServer, startChannelServer } from "#test/phoenix/channel-server.ts";
import {
  compareTranscripts,
  type Difference,
  readTranscript,
  type Transcript,
} from "#test/phoenix/compare.ts";
import { joinPolls } from "#test/phoenix/join-polls.ts";

const FOLDER = join(import.meta.dirname, "../../test/phoenix");
const TRANSCRIPTS = join(FOLDER, "transcripts");
const SCENARIOS = readdirSync(TRANSCRIPTS)
  .filter((file) => file.endsWith(".jsonl"))
  .map((file) => file.slice(0, -".jsonl".length))
  .sort();
/** They wait for time-outs of the protocol, so they are played beside the others. */
const SLOW = ["25-idle-timeout", "31-longpoll-npm", "33-longpoll-raw"];
const SHUTDOWN = "39-server-shutdown";
const PLAY_TIMEOUT_MS = 180_000;

const out = mkdtempSync(join(tmpdir(), "foyer-phoenix-"));
let server: ChannelServer;
let ending: ChildProcess | undefined;

/** Plays scenarios from a process of its own: the npm client's timers and its fetch stay out of the test's. */
async function record(url: string, scenarios: readonly string[], env: Record<string, string> = {}) {
  const args = [
    join(FOLDER, "record.ts"),
    "--url",
    url,
    "--out",
    out,
    "--only",
    scenarios.join(","),
    "--model",
    TRANSCRIPTS,
  ];
  const recorder = spawn(process.execPath, [...args, "--server", "foyer"], {
    env: { ...process.env, ...env },
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(recorder, "exit");
  if (code !== 0) throw new Error(`the recorder ended with ${code}`);
}

async function recordShutdown(): Promise<void> {
  const child = spawn(process.execPath, [join(FOLDER, "serve.ts")], { stdio: ["ignore", "pipe", "inherit"] });
  ending = child;
  const [url] = await once(createInterface({ input: child.stdout }), "line");
  await record(String(url), [SHUTDOWN], { PEERPID: String(child.pid) });
}

beforeAll(async () => {
  server = await startChannelServer();
  const quick = SCENARIOS.filter((scenario) => !SLOW.includes(scenario) && scenario !== SHUTDOWN);
  await Promise.all([record(server.url, quick), record(server.url, SLOW), recordShutdown()]);
}, PLAY_TIMEOUT_MS);

afterAll(async () => {
  ending?.kill("SIGKILL");
  await server.close();
  rmSync(out, { recursive: true });
});

interface Expected {
  conn: string;
  why: string;
  phoenix: string[];
  foyer: string[];
}

/** All that Foyer does otherwise: these frames of these clients, and no others. */
const EXPECTED: Readonly<Record<string, readonly Expected[]>> = {
  "06-duplicate-join-npm": [
    {
      conn: "A",
      why: "Phoenix stops the old channel before it has answered the leave, or not, as it happens; Foyer answers.",
      phoenix: [],
      foyer: ['T ["6","9","voice:room:r06","phx_reply",{"response":{},"status":"ok"}]'],
    },
  ],
  "28-auth-token-subprotocol": [
    {
      conn: "badb64",
      why: "A token that can't be decoded is the client's fault.",
      phoenix: ["H 500 "],
      foyer: ["H 403 "],
    },
    {
      conn: "urlsafe",
      why: "The alphabet is as good as the other one, but these bytes are no text.",
      phoenix: ["H 500 "],
      foyer: ["H 403 "],
    },
  ],
  "33-longpoll-raw": [
    {
      conn: "http",
      why: "Bytes break the npm client's JSON, so no poll brings any. A line that is no base64 is the client's fault, and ends the session.",
      phoenix: [
        `H 200 ${JSON.stringify({
          messages: ["\u0001\u0001\u0001\u000e\u000216voice:room:r33ok\u0007\u0007"],
          status: 200,
          token: "#",
        })}`,
        'H 500 {"error":"500.json"}',
      ],
      foyer: ['H 400 {"status":400}', 'H 200 {"messages":[],"status":410,"token":"#"}'],
    },
  ],
};

/** How messages spread over polls differs between two runs of Phoenix as well. */
const CHUNKED = "31-longpoll-npm";

function compare(scenario: string): Difference[] {
  const read = (folder: string): Transcript => {
    const transcript = readTranscript(join(folder, `${scenario}.jsonl`));
    return scenario === CHUNKED ? joinPolls(transcript) : transcript;
  };
  return compareTranscripts(scenario, read(TRANSCRIPTS), read(out));
}

function expectedOf(scenario: string): Difference[] {
  return (EXPECTED[scenario] ?? []).map(({ conn, phoenix, foyer }) => ({
    scenario,
    conn,
    first: phoenix,
    second: foyer,
  }));
}

test.each(SCENARIOS)("%s is as Phoenix played it", (scenario) => {
  expect(compare(scenario)).toEqual(expectedOf(scenario));
});

test("every expected difference belongs to a scenario", () => {
  expect(SCENARIOS).toEqual(expect.arrayContaining(Object.keys(EXPECTED)));
});
