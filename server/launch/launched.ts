import { randomBytes } from "node:crypto";
import { hostname } from "node:os";

/** One process of several that `--processes` started. */
export interface Launched {
  /** From 1 on. */
  number: number;
  /** How many there are. */
  count: number;
  /** Others run already: this one makes no database and no first content, and uses their port. */
  isJoining: boolean;
  /** The same in all of them, for what one of them runs for all, such as the relay of `TURN=local`. */
  secret: string;
}

export const PROCESSES_MAX = 64;

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

/** What a process says to its launcher. */
export type ChildMessage =
  /** It answers. `ownsDatabase`: the others' database ends with it. */
  { kind: "ready"; port: number; ownsDatabase: boolean } | { kind: "leaving" };

/** What the launcher says: the others are gone. */
export const ALONE = "alone";

/** Longer than the others may take to finish their requests; then they are left to their fate. */
const OTHERS_LIMIT_MS = 35_000;

const say = (message: ChildMessage) => process.send?.(message);

export function sayReady(port: number, ownsDatabase: boolean): void {
  say({ kind: "ready", port, ownsDatabase });
}

/** Before the database ends that the others use too: has them stopped, and waits until they are gone, or the launcher is. */
export function waitForOthers(limitMs = OTHERS_LIMIT_MS): Promise<void> {
  if (!process.connected) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(end, limitMs);
    function onMessage(message: unknown): void {
      if (message === ALONE) end();
    }
    function end(): void {
      clearTimeout(timer);
      process.off("message", onMessage);
      process.off("disconnect", end);
      resolve();
    }
    process.on("message", onMessage);
    process.once("disconnect", end);
    say({ kind: "leaving" });
  });
}
