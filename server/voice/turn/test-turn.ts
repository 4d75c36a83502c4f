import { createHmac } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pino } from "pino";
import { type LocalTurn, type LocalTurnOptions, openLocalTurn } from "./local-turn.ts";
import { findTurnserver } from "./turnserver-process.ts";

/** Coturn, where this machine has it; tests that need it are skipped elsewhere. */
export const TURNSERVER = await findTurnserver();

export const SILENT = pino({ level: "silent" });

/** A port that nobody listens on at this moment. */
export function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once("error", reject);
    server.listen(0, "127.0.0.1", () => {
      const address = server.address();
      server.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

/** What a person's browser would get, good for ten minutes. */
export function buildTestCredential(secret: string, person = 7): { username: string; credential: string } {
  const username = `${Math.floor(Date.now() / 1000) + 600}:${person}`;
  return { username, credential: createHmac("sha1", secret).update(username).digest("base64") };
}

/** A relay on loopback, with a data folder of its own. */
export async function openTestTurn(
  options: Partial<LocalTurnOptions> = {},
): Promise<{ turn: LocalTurn; port: number; dataDir: string; close: () => Promise<void> }> {
  const dataDir = options.dataDir ?? (await mkdtemp(join(tmpdir(), "foyer-turn-")));
  const port = options.port ?? (await findFreePort());
  // Not where the kernel takes its own ports from.
  const minPort = 20_000 + (process.pid % 100) * 64;
  const turn = await openLocalTurn({
    host: "127.0.0.1",
    port,
    minPort,
    maxPort: minPort + 63,
    externalIp: undefined,
    log: SILENT,
    now: () => new Date(),
    ...options,
    dataDir,
  });
  return {
    turn,
    port,
    dataDir,
    async close() {
      await turn.close();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}
