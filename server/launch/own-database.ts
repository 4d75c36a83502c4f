import { ConfigError, parseConfig } from "../config.ts";
import { DatabaseStartError } from "../db/embedded/start-error.ts";
import { type EmbeddedServer, startEmbedded } from "../db/embedded/supervisor.ts";
import { decideAccount } from "../upkeep/site-account.ts";
import { readEnvFile } from "./load-config.ts";

/**
 * Starts the built-in PostgreSQL for so many processes. The environment is left as it is: what `.env` says is each process's own to read, and
 * the first one warns of names that it doesn't know.
 * @throws ConfigError or DatabaseStartError, as `toStartFault` says them
 */
export async function startOwnDatabase(processes: number): Promise<EmbeddedServer> {
  const config = parseConfig({ ...readEnvFile(".env"), ...process.env });
  const { account } = await decideAccount(config, process.cwd());
  return startEmbedded({
    dataDir: config.dataDir,
    processes,
    ...(config.databaseUser !== undefined && { databaseUser: config.databaseUser }),
    ...(account && { reader: account }),
    log: { info: () => undefined, warn: (line) => console.error(line) },
    onProgress: (step) => console.log(step),
  });
}

/** What the owner can mend, in words; anything else with all that is known. */
export const toStartFault = (error: unknown): unknown =>
  error instanceof ConfigError || error instanceof DatabaseStartError ? error.message : error;
