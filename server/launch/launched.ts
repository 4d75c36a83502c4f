import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** One process of several that `--processes` started. */
export interface Launched {
  /** From 1 on. */
  number: number;
  /** How many there are. */
  count: number;
  /** Others run already: this one migrates nothing, makes no first content, and uses their port. */
  isJoining: boolean;
  /** The same in all of them, for what one of them runs for all, such as the relay of `TURN=local`. */
  secret: string;
}

export const PROCESSES_MAX = 64;

/** Ctrl-C comes from the terminal, and again through npm and the launcher: what comes so soon is the same wish. */
export const SAME_WISH_MS = 1_000;

/** How the launcher says it to a process: no setting that anybody writes. */
export const LAUNCHED_NAME = "FOYER_PROCESS";

const PATTERN = /^(\d+)\/(\d+) (first|joining) (\S+)$/;

export const createLaunchSecret = () => randomBytes(32).toString("hex");

export const toLaunchedText = ({ number, count, isJoining, secret }: Launched) =>
  `${number}/${count} ${isJoining ? "joining" : "first"} ${secret}`;

/** Undefined where it isn't the launcher's text. */
export function parseLaunched(text: string): Launched | undefined {
  const [, number, count, role, secret] = PATTERN.exec(text) ?? [];
  if (secret === undefined) return undefined;
  return { number: Number(number), count: Number(count), isJoining: role === "joining", secret };
}

/** Names a process of this machine, the same after its restart. */
export const toProcessLabel = ({ port, launched }: { port: number; launched: Launched | undefined }) =>
  `${hostname()}:${port}${launched ? `/${launched.number}` : ""}`;

/** What a process says to its launcher: it answers there. */
export interface ChildMessage {
  port: number;
}

export function sayReady(port: number): void {
  process.send?.({ port } satisfies ChildMessage);
}
