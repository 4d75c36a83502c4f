import { readFileSync } from "node:fs";
import { parseArgs, parseEnv } from "node:util";
import { LAUNCHED_NAME, PROCESSES_MAX } from "./launched.ts";

/** Of `--processes N`. An empty one is a fault as well as a word. */
function readFlag(args: readonly string[]): string | undefined {
  const { values } = parseArgs({
    args: [...args],
    options: { processes: { type: "string" } },
    strict: false,
  });
  if (values.processes === undefined) return undefined;
  return typeof values.processes === "string" && values.processes ? values.processes : "no number";
}

/** Without a byte order mark, as the settings are read. @throws what node:fs says */
const readSettings = (): Record<string, string | undefined> =>
  parseEnv(new TextDecoder().decode(readFileSync(".env")));

function readSetting(name: string, readFile: typeof readSettings): string | undefined {
  try {
    return readFile()[name];
  } catch {
    return undefined; // there is none, or the start says what is wrong with it
  }
}

/**
 * How many processes this one shall start; 1: it is the site itself. What the command line or the file says becomes the setting in the
 * environment. Read without the other settings and their libraries, which a process that only starts others has no use for (60 MB). A number
 * that is wrong is 1: the start names the setting and what it may be.
 */
export function readCount(
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
  readFile = readSettings,
): number {
  if (environment[LAUNCHED_NAME] !== undefined) return 1;
  const flag = readFlag(args);
  if (flag !== undefined) environment.FOYER_PROCESSES = flag;
  if (environment.FOYER_PROCESSES === undefined) {
    const setting = readSetting("FOYER_PROCESSES", readFile);
    if (setting !== undefined) environment.FOYER_PROCESSES = setting;
  }
  const isDevelopment = /^(?:1|true)$/.test(environment.FOYER_DEV ?? "");
  const count = Number(environment.FOYER_PROCESSES);
  return Number.isInteger(count) && count >= 1 && count <= PROCESSES_MAX && !isDevelopment ? count : 1;
}

/** Whether the site's database is the built-in one, read as lightly. */
export const hasOwnDatabase = (environment: NodeJS.ProcessEnv, readFile = readSettings): boolean =>
  !(environment.DATABASE_URL ?? readSetting("DATABASE_URL", readFile));
