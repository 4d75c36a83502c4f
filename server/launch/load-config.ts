import { lstatSync, readFileSync } from "node:fs";
import { parseEnv } from "node:util";
import { type Config, ConfigError, parseConfig } from "../config.ts";
import { SETTING_NAMES } from "../settings.ts";

/** What other programs and libraries read, and what may stand in `.env` beside the settings. */
const NOT_OURS = /^(NODE|PG|LC|VITE|UV|SSL|NPM)_?[A-Z]|^(TZ|LANG|FOYER_PASSWORD|(HTTPS?|ALL|NO)_PROXY)$/;
/** Names of a shell or of another program that are one letter away from a setting. */
const OF_OTHERS: ReadonlySet<string> = new Set(["DATABASE_URI", "LOGLEVEL", "MAILFROM"]);
/** Shorter names are near to too many others: `HOSTS`, `PORTS`. */
const SUGGESTED_CHARS_MIN = 6;
const PREFIX = /^FOYER_/;

/**
 * How many letters have to be typed, left out, changed or swapped with their neighbour to make one of the other. The
 * libraries for this count a swap, the commonest slip, as two.
 */
function countSlips(one: string, other: string): number {
  const rows: number[][] = [Array.from({ length: other.length + 1 }, (_, column) => column)];
  for (let row = 1; row <= one.length; row++) {
    const line = [row];
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1];
      const isSwap = one[row - 2] === other[column - 1] && one[row - 1] === other[column - 2];
      const at = (rowsBack: number, columnsBack: number) =>
        (rowsBack === 0 ? line : rows[row - rowsBack])?.[column - columnsBack] ?? Number.POSITIVE_INFINITY;
      const swapped = isSwap ? at(2, 2) + 1 : Number.POSITIVE_INFINITY;
      line.push(Math.min(at(1, 0) + 1, at(0, 1) + 1, at(1, 1) + (isSame ? 0 : 1), swapped));
    }
    rows.push(line);
  }
  return rows[one.length]?.[other.length] ?? 0;
}

/** The setting that is nearest to a name, and how many slips away. */
function findNearest(name: string): { setting: string; slips: number } {
  const typed = name.toUpperCase().replaceAll("-", "_");
  const distances = SETTING_NAMES.map((setting) => ({
    setting,
    slips: Math.min(
      countSlips(typed, setting),
      // `FOYER_PORT` for PORT.
      PREFIX.test(typed) ? countSlips(typed.replace(PREFIX, ""), setting) : Number.POSITIVE_INFINITY,
    ),
  }));
  return distances.reduce((best, next) => (next.slips < best.slips ? next : best));
}

/**
 * One line for each name that is no setting: in `.env` every one, with the setting that may be meant; in the environment, which
 * is full of other programs' names, only those a single slip away from a setting that isn't set.
 */
export function findMisspelt(
  file: Readonly<Record<string, string | undefined>>,
  environment: Readonly<Record<string, string | undefined>>,
): string[] {
  const isKnown = (name: string) => SETTING_NAMES.includes(name) || NOT_OURS.test(name);
  const inFile = Object.keys(file).filter((name) => !isKnown(name));
  const inEnvironment = Object.keys(environment).filter(
    (name) => !isKnown(name) && !inFile.includes(name) && !OF_OTHERS.has(name.toUpperCase()),
  );
  return [
    ...inFile.map((name) => {
      const { setting, slips } = findNearest(name);
      const isNear = slips <= (setting.length < SUGGESTED_CHARS_MIN ? 1 : 2);
      return `.env: ${name} is no setting of Foyer's${isNear ? `: did you mean ${setting}?` : "."}`;
    }),
    ...inEnvironment.flatMap((name) => {
      const { setting, slips } = findNearest(name);
      if (setting.length < SUGGESTED_CHARS_MIN || slips > 1 || environment[setting]) return [];
      return `${name} is no setting of Foyer's: did you mean ${setting}?`;
    }),
  ];
}

const UNREADABLE: Readonly<Record<string, string>> = {
  EACCES: "this account may not read it. Give it to the account that runs Foyer (chown), with mode 600",
  EPERM: "this account may not read it. Give it to the account that runs Foyer (chown), with mode 600",
  EISDIR: "it is a folder. Move it away; .env is a file of lines NAME=value",
  ENOENT: "it is a link that leads nowhere. Correct or remove it",
  ELOOP: "it is a link that leads to itself. Correct or remove it",
};

function toReadFault(path: string, error: unknown): ConfigError | undefined {
  const { code = "", message } = error as NodeJS.ErrnoException; // node:fs throws these
  if (code === "ENOENT" && !lstatSync(path, { throwIfNoEntry: false })) return undefined;
  const isDecoding = code === "ERR_ENCODING_INVALID_ENCODED_DATA";
  const reason = isDecoding ? "it is not UTF-8. Save it as UTF-8" : (UNREADABLE[code] ?? message);
  return new ConfigError(`The file ${path} can't be used: ${reason}.`);
}

/**
 * Values of a file of lines `NAME=value`, a byte order mark before them or not; none where there is no such file.
 * @throws ConfigError that says why it can't be read, and what to do.
 */
export function readEnvFile(
  path: string,
  read: (path: string) => Buffer = readFileSync,
): Record<string, string> {
  try {
    // The decoder leaves a byte order mark out. parseEnv gives a value to each name that it lists.
    const text = new TextDecoder("utf-8", { fatal: true }).decode(read(path));
    return parseEnv(text) as Record<string, string>;
  } catch (error) {
    const fault = toReadFault(path, error);
    if (fault) throw fault;
    return {};
  }
}

/**
 * Reads `.env` into the environment, which wins, and the settings from that. `warn` gets a line for each name that is misspelt.
 * @throws ConfigError.
 */
export function loadConfig(
  warn: (line: string) => void = (line) => console.error(`Warning: ${line}`),
): Config {
  const file = readEnvFile(".env");
  for (const line of findMisspelt(file, process.env)) warn(line);
  for (const [name, value] of Object.entries(file)) process.env[name] ??= value;
  return parseConfig(process.env);
}
