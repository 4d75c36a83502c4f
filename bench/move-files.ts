import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { s3Address } from "#server/base/s3.ts";
import { createLocalStorage, type FileStorage } from "#server/files/store.ts";
import { openStores } from "#server/files/stores.ts";
import { startTestS3 } from "#test/s3.ts";

/**
 * `npm run bench:move-files -- [--objects 100000] [--bytes 100000] [--s3 s3://…]`: objects moved into a bucket and back by the command
 * itself, which is interrupted five times each way, by SIGKILL and Ctrl-C in turns; then every object's SHA-256 is compared at its new
 * place. The service is s3rver on this machine, whose time is in the figures, or the named one, in a folder of the bench's own. Exit
 * code 1 when an object is missing or differs.
 */
const { values } = parseArgs({
  options: {
    objects: { type: "string", default: "100000" },
    bytes: { type: "string", default: "100000" },
    s3: { type: "string" },
  },
});
const [objects, bytes] = [Number(values.objects), Number(values.bytes)];
if (![objects, bytes].every((given) => Number.isSafeInteger(given) && given >= 1))
  throw new Error("--objects and --bytes want whole numbers above 0");

const INTERRUPTIONS = 5;
const LOOK_MS = 200;
/** Many objects take a while to count: after a look the machine is left alone for so many times as long as that took. */
const REST = 3;
/** An object in the folder, and as s3rver keeps it. */
const OBJECT = /\.bin(\._S3rver_object)?$/;
const ROOT = join(import.meta.dirname, "..");

const folder = await mkdtemp(join(tmpdir(), "foyer-bench-move-"));

/** A folder of its own in the bucket of an address. */
function openGiven(text: string) {
  const given = new URL(text);
  given.pathname += `${given.pathname.endsWith("/") ? "" : "/"}bench-${randomBytes(4).toString("hex")}`;
  return {
    url: given.href,
    address: s3Address.parse(given.href),
    directory: undefined,
    close: async () => undefined,
  };
}
const service = values.s3 === undefined ? await startTestS3() : openGiven(values.s3);
const local = createLocalStorage(join(folder, "files"));
const bucket = openStores({
  dataDir: folder,
  fileStore: { address: service.address, isRedirected: false },
}).openStorage("files");

const say = (text: string) => process.stderr.write(`${text}\n`);
const inBatches = async (names: readonly string[], work: (name: string) => Promise<unknown>) => {
  for (let at = 0; at < names.length; at += 16) await Promise.all(names.slice(at, at + 16).map(work));
};

async function fill(): Promise<string[]> {
  const names: string[] = [];
  for (let n = 0; n < objects; n++) {
    const content = randomBytes(bytes);
    const name = `${createHash("sha256").update(content).digest("hex").slice(0, 32)}.bin`;
    await local.put(name, content);
    names.push(name);
  }
  return names;
}

/** Names whose bytes aren't there as they were: the name says their hash. */
async function findFaults(storage: FileStorage, names: readonly string[]): Promise<string[]> {
  const faults: string[] = [];
  await inBatches(names, async (name) => {
    const hash = createHash("sha256");
    for await (const piece of (await storage.open(name))?.stream ?? []) hash.update(piece as Buffer);
    if (!name.startsWith(hash.digest("hex").slice(0, 32))) faults.push(name);
  });
  return faults;
}

/** Of a folder by its names alone, which costs neither the service nor the command much; of a service elsewhere by its list. */
async function count(storage: FileStorage, directory: string | undefined): Promise<number> {
  let found = 0;
  if (directory === undefined) {
    for await (const { name } of storage.list()) if (name.endsWith(".bin")) found++;
  } else {
    const names = await readdir(directory, { recursive: true });
    for (const name of names) if (OBJECT.test(name)) found++;
  }
  return found;
}

/** Peak memory of a process so far, in MB; 0 once it is gone. */
function readPeak({ pid }: ChildProcess): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0) / 1000;
  } catch {
    return 0; // it ended
  }
}

interface Run {
  isKilled: boolean;
  code: number | null;
  out: string;
  peakMb: number;
}

/** One call of the command, ended by a signal once `shouldEnd` says so. */
async function run(
  direction: string,
  signal: NodeJS.Signals,
  shouldEnd: () => Promise<boolean>,
): Promise<Run> {
  const child = spawn(process.execPath, [join(ROOT, "server/cli.ts"), "move-files", direction], {
    cwd: ROOT,
    env: { ...process.env, FOYER_DATA_DIR: folder, S3_URL: service.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let [out, peakMb, isKilled, nextLook] = ["", 0, false, 0];
  for (const stream of [child.stdout, child.stderr])
    stream.on("data", (text: Buffer) => {
      out += text.toString();
    });
  const gone = once(child, "exit");
  const isGone = () => child.exitCode !== null || child.signalCode !== null;
  while (!isGone()) {
    peakMb = Math.max(peakMb, readPeak(child));
    const begin = performance.now();
    if (!isKilled && begin >= nextLook) {
      // A service that is too busy to list is looked at again.
      if ((await shouldEnd().catch(() => false)) && !isGone()) {
        isKilled = true;
        child.kill(signal);
      }
      nextLook = performance.now() + REST * (performance.now() - begin);
    }
    await Promise.race([gone, new Promise((resolve) => setTimeout(resolve, LOOK_MS))]);
  }
  const [code] = await gone;
  return { isKilled, code, out, peakMb };
}

async function move(
  direction: string,
  to: FileStorage,
  directory: string | undefined,
  names: readonly string[],
) {
  const begin = performance.now();
  const there: number[] = [];
  let peakMb = 0;
  for (let n = 1; n <= INTERRUPTIONS; n++) {
    const wanted = Math.floor((n * objects) / (INTERRUPTIONS + 1));
    let seen = 0;
    const ended = await run(direction, n % 2 ? "SIGKILL" : "SIGINT", async () => {
      seen = await count(to, directory);
      return seen >= wanted;
    });
    peakMb = Math.max(peakMb, ended.peakMb);
    if (!ended.isKilled) say(`  round ${n} came to its end before it was interrupted: ${ended.out}`);
    else there.push(seen);
  }
  const last = await run(direction, "SIGINT", async () => false);
  const seconds = (performance.now() - begin) / 1000;
  say(`  ${last.out.trim().replaceAll("\n", "\n  ")}`);
  const faults = await findFaults(to, names);
  return { there, seconds, faults, code: last.code, peakMb: Math.max(peakMb, last.peakMb) };
}

try {
  say(`Making ${objects} objects of ${bytes} bytes…`);
  const names = await fill();
  const results = [];
  for (const [direction, to, directory] of [
    ["to-s3", bucket, service.directory],
    ["to-folder", local, folder],
  ] as const) {
    if (direction === "to-folder") await rm(join(folder, "files"), { recursive: true });
    say(`${direction}…`);
    results.push({ direction, ...(await move(direction, to, directory, names)) });
  }
  for (const { direction, there, seconds, faults, code, peakMb } of results) {
    const rows: [string, string][] = [
      ["objects", `${objects} of ${bytes} bytes`],
      ["interrupted", `${there.length} times (bar ${INTERRUPTIONS}), with ${there.join(", ")} there`],
      [
        "duration",
        `${seconds.toFixed(1)} s with all restarts, ${Math.round(objects / seconds)} objects a second`,
      ],
      ["peak memory", `${Math.round(peakMb)} MB`],
      ["missing or different", `${faults.length} (bar 0)`],
    ];
    for (const [name, value] of rows) console.log(`${direction.padEnd(12)}${name.padEnd(24)}${value}`);
    if (faults.length > 0 || code !== 0 || there.length < INTERRUPTIONS) process.exitCode = 1;
  }
} finally {
  if (values.s3 !== undefined) for await (const { name } of bucket.list()) await bucket.delete(name);
  await service.close();
  await rm(folder, { recursive: true, force: true });
}
