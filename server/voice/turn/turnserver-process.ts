import { constants } from "node:fs";
import { access } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { getAccount, isRoot, runCommand } from "../../db/embedded/account.ts";
import { startGuarded } from "../../db/embedded/guarded-process.ts";
import { buildTurnCredential } from "../ice.ts";
import { allocate, askBinding } from "./stun-client.ts";
import { openStunLink, StunError, type StunLink } from "./stun-link.ts";
import type { Endpoint } from "./stun-message.ts";

/** Some systems keep servers out of the PATH of ordinary users. */
const MORE_FOLDERS = ["/usr/local/bin", "/usr/bin", "/usr/sbin", "/usr/local/sbin"];

/** The path of coturn's program; undefined where it isn't installed. */
export async function findTurnserver(): Promise<string | undefined> {
  const path = process.env.PATH ?? "";
  for (const folder of [...path.split(":").filter((part) => part.startsWith("/")), ...MORE_FOLDERS]) {
    const program = join(folder, "turnserver");
    const isThere = await access(program, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (isThere) return program;
  }
  return undefined;
}

/** Whom root's turnserver becomes once it has its ports: the package's own user, else nobody. */
export async function chooseRunAs(): Promise<{ user: string; group: string } | undefined> {
  if (!isRoot()) return undefined;
  const account = (await getAccount("turnserver")) ?? (await getAccount("nobody"));
  if (!account) return undefined;
  const { output } = await runCommand("getent", ["group", String(account.gid)]);
  const [group = ""] = output.split(":");
  return group ? { user: account.name, group } : undefined;
}

/** A coturn that answers. */
export interface Turnserver {
  /** Resolves with the reason when it has ended; never rejects. */
  ended: Promise<string>;
  /** Resolves when it is gone. */
  stop(): Promise<void>;
}

const START_LIMIT_MS = 10_000;
const KNOCK_LIMIT_MS = 300;
const KNOCK_EVERY_MS = 50;
const KEPT_LINES = 5;
/** What coturn writes before and after each message says nothing. */
const STAMP = /^\d+: (\([^)]*\))?: ?/;
/** Not the whole of its help, which it writes when it can't start. */
const FAULT_LINE = /^(CONFIG )?ERROR/;
/** Lines about single sessions hold addresses and numbers of people. */
const OF_A_SESSION = /session|user <|peer IP/i;

/**
 * Starts coturn and waits until it answers. It ends with this process, however that ends: by SIGKILL, because it leaves signals
 * ignored that a shell's background command finds ignored, and holds nothing that would need saving.
 *
 * @throws Error with its last lines where it ends or doesn't answer
 */
export async function startTurnserver(options: {
  program: string;
  configFile: string;
  /** Where it answers. */
  address: string;
  port: number;
  onLine: (line: string) => void;
}): Promise<Turnserver> {
  const { program, configFile, address, port, onLine } = options;
  const kept: string[] = [];
  const server = startGuarded([program, "-c", configFile], {
    account: undefined,
    logFd: "pipe",
    signal: "KILL",
  });
  if (server.output) {
    createInterface(server.output).on("line", (text) => {
      const line = text.replace(STAMP, "").trim();
      if (line === "") return;
      onLine(line);
      if (FAULT_LINE.test(line) && !OF_A_SESSION.test(line)) kept.push(line);
      kept.splice(0, kept.length - KEPT_LINES);
    });
  }
  let hasEnded = false;
  const ended = server.ended.then(({ reason }) => {
    hasEnded = true;
    return [`turnserver ended (${reason})`, ...kept].join("; ");
  });
  const until = performance.now() + START_LIMIT_MS;
  while (!hasEnded && performance.now() < until) {
    if (await knock(address, port)) return { ended, stop: () => stop() };
    await sleep(KNOCK_EVERY_MS);
  }
  const isSilent = !hasEnded;
  await stop();
  throw new Error(isSilent ? `turnserver does not answer at ${address}:${port}` : await ended);

  async function stop() {
    server.letGo();
    await server.ended;
  }
}

async function knock(host: string, port: number): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(KNOCK_LIMIT_MS);
    const link = await openStunLink({ scheme: "stun", host, port, transport: "udp" }, signal);
    try {
      await askBinding(link);
      return true;
    } finally {
      link.close();
    }
  } catch {
    // Nobody is there yet.
    return false;
  }
}

const SECRET_LIMIT_MS = 1_000;
const CREDENTIAL_S = 60;
/** Nobody's number. */
const PROBER = 0;
/** What a relay without a free port says, once it knows the password. RFC 8656. */
const FULL = [486, 508];

/** Takes an address of a relay and gives it back. @returns that address. @throws StunError as `allocate` does */
export async function tryRelay(link: StunLink, secret: string, now: Date): Promise<Endpoint> {
  const expiresS = Math.floor(now.getTime() / 1000) + CREDENTIAL_S;
  const allocation = await allocate(link, buildTurnCredential(secret, PROBER, expiresS));
  await allocation.release();
  return allocation.relayed;
}

/** Whether a relay answers there that was given this secret. */
export async function knowsSecret(host: string, port: number, secret: string, now: Date): Promise<boolean> {
  try {
    const signal = AbortSignal.timeout(SECRET_LIMIT_MS);
    const link = await openStunLink({ scheme: "turn", host, port, transport: "udp" }, signal);
    try {
      await tryRelay(link, secret, now);
      return true;
    } finally {
      link.close();
    }
  } catch (error) {
    return error instanceof StunError && error.code !== undefined && FULL.includes(error.code);
  }
}
