import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import * as z from "zod";
import { type S3Address, s3Address } from "#server/base/s3.ts";

/** As s3rver's own key is called. */
const KEY = "S3RVER";
const PROGRAM = join(import.meta.dirname, "s3-process.ts");

/** A service that speaks S3, with the bucket `site`. */
export interface TestS3 {
  /** For `S3_URL`. */
  url: string;
  address: S3Address;
  /** Where it keeps objects: below `site`, each a folder with `._S3rver_object` at its name's end. */
  directory: string;
  /** It goes; what it holds stays. */
  stop(): Promise<void>;
  /** At the same address. */
  startAgain(): Promise<void>;
  close(): Promise<void>;
}

/** s3rver in a process of its own, because it makes the tokens of long lists by an old cipher. It checks no Content-MD5, and lets strangers read. */
export async function startTestS3(): Promise<TestS3> {
  const directory = await mkdtemp(join(tmpdir(), "foyer-s3rver-"));
  async function start(wanted: number): Promise<{ child: ChildProcess; port: number }> {
    const child = fork(PROGRAM, [directory, String(wanted)], { execArgv: ["--openssl-legacy-provider"] });
    const ended = once(child, "exit").then(([code]): never => {
      throw new Error(`s3rver ended with ${code}`);
    });
    ended.catch(() => undefined); // it ends when it is stopped
    const [port] = await Promise.race([once(child, "message"), ended]);
    return { child, port: z.number().parse(port) };
  }
  let { child, port } = await start(0);
  const url = `s3://${KEY}:${KEY}@127.0.0.1:${port}/site/my/foyer?tls=false`;
  async function stop(): Promise<void> {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGKILL");
    await gone;
  }
  return {
    url,
    address: s3Address.parse(url),
    directory,
    stop,
    async startAgain() {
      ({ child, port } = await start(port));
    },
    async close() {
      await stop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
