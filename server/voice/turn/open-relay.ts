import type { Logger } from "pino";
import type { Config } from "#server/config.ts";
import type { Finding } from "#server/health/service.ts";
import { type LocalTurn, openLocalTurn } from "./local-turn.ts";
import { createRelayProbe } from "./probe-relay.ts";
import { toRelayFinding } from "./relay-finding.ts";

/** What voice rooms reach each other by. */
export interface Relay {
  /** One list of addresses and the secret of those that relay. */
  settings: { urls: readonly string[]; turnSecret: string | undefined };
  /** For the health page. */
  check: () => Promise<Finding>;
  close(): Promise<void>;
}

type RelayConfig = Pick<Config, "dataDir" | "iceUrls" | "turnSecret" | "localTurn">;

/**
 * Opens the relay of `TURN=local`, where it is asked for, beside the servers of `ICE_URLS`.
 *
 * @throws ConfigError where it can't be started
 */
export async function openRelay({
  config,
  log,
  now,
}: {
  config: RelayConfig;
  log: Logger;
  now: () => Date;
}): Promise<Relay> {
  const { dataDir, iceUrls, turnSecret, localTurn } = config;
  const turn = localTurn && (await openLocalTurn({ ...localTurn, dataDir, secret: turnSecret, log, now }));
  const check = createRelayProbe({
    urls: iceUrls,
    turnSecret,
    local: localTurn && turn && { ...localTurn, ...turn, getFault: () => getFault(turn) },
    now,
    log,
  });
  return {
    settings: { urls: [...(turn?.urls ?? []), ...iceUrls], turnSecret: turn?.secret ?? turnSecret },
    check: async () => toRelayFinding(await check()),
    close: async () => turn?.close(),
  };
}

function getFault(turn: LocalTurn): string | undefined {
  return turn.isRunning() ? undefined : (turn.lastFault() ?? "");
}
