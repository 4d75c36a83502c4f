import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Caller, createCaller } from "./caller.ts";
import { type Program, startLine } from "./programs.ts";

const START_LIMIT_MS = 30_000;
/** A certificate is signed behind the start. */
const CERTIFICATE_TRIES = 100;
const PAUSE_MS = 100;

async function waitForCertificate(caller: Caller): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await caller.ask("/api/health/live");
      return;
    } catch (error) {
      if (tries === CERTIFICATE_TRIES) throw error;
      await sleep(PAUSE_MS);
    }
  }
}

/**
 * Caddy with a block of the README. Where it differs from a server on the internet: it signs the certificate itself (`local_certs`),
 * because nobody else can be asked about a domain without DNS, and it listens on ports of its own, on this machine alone.
 * @param options.address Of the site: https, a host and a port.
 */
export async function startCaddy(options: {
  folder: string;
  block: string;
  address: string;
  httpPort: number;
  env: NodeJS.ProcessEnv;
  signal: AbortSignal;
}): Promise<Program & { caller: Caller }> {
  const folder = join(options.folder, "caddy");
  mkdirSync(folder);
  const file = join(folder, "Caddyfile");
  const globals = ["admin off", "local_certs", "skip_install_trust", "default_bind 127.0.0.1"];
  const ports = [`http_port ${options.httpPort}`, `https_port ${new URL(options.address).port}`];
  writeFileSync(file, `{\n\t${[...globals, ...ports].join("\n\t")}\n}\n${options.block}`);
  const program = await startLine(
    `caddy run --adapter caddyfile --config ${file}`,
    /serving initial configuration/,
    {
      cwd: folder,
      env: { ...options.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder },
      limitMs: START_LIMIT_MS,
      signal: options.signal,
    },
  );
  try {
    const ca = readFileSync(join(folder, "caddy/pki/authorities/local/root.crt"));
    const caller = createCaller(options.address, ca);
    await waitForCertificate(caller);
    return Object.assign(program, { caller });
  } catch (error) {
    await program.stop();
    throw error;
  }
}
