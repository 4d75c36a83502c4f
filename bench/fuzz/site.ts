import { randomUUID } from "node:crypto";
import { hashPassword } from "#server/accounts/passwords/hashing.ts";
import { insertAccount } from "#server/accounts/store.ts";
import { findFreePort } from "../outbox/server-process.ts";
import { openSiteDatabase, startBenchSite } from "../requests/site.ts";
import type { Known } from "./requests.ts";
import { type FuzzSite, toKnown } from "./run-requests.ts";

/** In the server's own process: collects all garbage before it says how much memory is left. */
const METER = `
if (process.argv[1]?.endsWith("server/main.ts")) {
  const [{ createServer }, { setFlagsFromString }, { runInNewContext }] =
    await Promise.all([import("node:http"), import("node:v8"), import("node:vm")]);
  setFlagsFromString("--expose-gc");
  const gc = runInNewContext("gc");
  createServer((_request, response) => {
    gc();
    gc();
    response.end(JSON.stringify(process.memoryUsage()));
  }).listen(Number(process.env.FOYER_METER_PORT), "127.0.0.1").unref();
}`;

export interface Memory {
  heapUsed: number;
  rss: number;
}

/** The product as `npm start` runs it, for a fuzz. */
export interface MeteredSite extends FuzzSite {
  known: Known;
  /** Signs an account in for the socket. @returns its access token */
  signInToSocket(): Promise<string>;
  readMemory(): Promise<Memory>;
  /** What the server wrote at level error and above, or beside its log. */
  faults: string[];
  /** How the process ended; undefined while it runs. */
  readEnd(): string | undefined;
  stop(): Promise<void>;
}

const PASSWORD = "Correct-Horse-Battery-1";
const ERROR_LEVEL = 50;
/** Documented: without a way to where new versions are told, `POST /api/health/version/` answers 503 and says so in the log. */
const EXPECTED = /"code":"version_unknown","msg":"request failed"/;

const SHOWN_FAULTS = 20;

/** Keeps what no request may bring about, and prints the first of it as it comes. */
function createFaults() {
  const faults: string[] = [];
  const add = (text: string) => {
    if (faults.length < SHOWN_FAULTS) console.log(text.slice(0, 2_000));
    faults.push(text);
  };
  return { faults, add };
}

function createLineReader(add: (line: string) => void) {
  let rest = "";
  return (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) {
      const level = /^\{"level":(\d+)/.exec(line)?.[1];
      if (level !== undefined && Number(level) >= ERROR_LEVEL && !EXPECTED.test(line)) add(line);
    }
  };
}

export async function startMeteredSite(): Promise<MeteredSite> {
  const meterPort = await findFreePort();
  process.env.FOYER_METER_PORT = String(meterPort);
  // Each request names an address of its own choice: limits count by address, and would refuse most of the fuzz.
  process.env.TRUST_PROXY = "1";
  process.env.SES_TOPICS = "arn:aws:sns:eu-west-1:123456789012:fuzz";
  process.env.NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(METER)}`;
  const site = await startBenchSite();
  delete process.env.NODE_OPTIONS;
  const { server, url } = site;
  const { faults, add } = createFaults();
  server.stdout?.on("data", createLineReader(add));
  server.stderr?.on("data", (chunk: Buffer) => add(chunk.toString()));
  let end: string | undefined;
  server.once("exit", (code, signal) => {
    end = String(code ?? signal);
  });
  const database = await openSiteDatabase(site.dataDir);
  const passwordHash = await hashPassword(PASSWORD);
  let count = 0;

  async function signIn(level: number): Promise<string> {
    const username = `fuzz_${++count}_${randomUUID().slice(0, 8)}`;
    await insertAccount(database.pool, { username, email: `${username}@foyer.example`, passwordHash, level });
    const answer = await fetch(`${url}/api/users/login/`, {
      method: "POST",
      headers: {
        "content-type": "application/json",
        "x-forwarded-for": `10.2.${(count >> 8) & 255}.${count & 255}`,
      },
      body: JSON.stringify({ username, password: PASSWORD }),
    });
    if (answer.status !== 200) throw new Error(`a log-in was answered ${answer.status}`);
    const { tokens } = (await answer.json()) as { tokens: { access_token: string } };
    return tokens.access_token;
  }

  return {
    port: Number(new URL(url).port),
    known: await toKnown(database.pool),
    signIn: async (level) => `Bearer ${await signIn(level)}`,
    signInToSocket: () => signIn(1),
    readMemory: async () => (await fetch(`http://127.0.0.1:${meterPort}`)).json() as Promise<Memory>,
    faults,
    readEnd: () => end,
    async stop() {
      await database.close();
      await site.stop();
    },
  };
}
