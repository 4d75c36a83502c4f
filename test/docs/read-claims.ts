import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import LEVELS from "./asvs-levels.json" with { type: "json" };

export const ROOT = join(import.meta.dirname, "../..");
/** Numbers of ASVS 5.0 of levels 1 and 2. */
export const ASKED: readonly string[] = [...LEVELS[1], ...LEVELS[2]];

export const STATES = ["met", "partly", "not met", "n/a"] as const;

/** A row of docs/security.md: `| 6.2.1 | asks | **met** how | proof |`. */
export interface Claim {
  number: string;
  state: string;
  how: string;
  proof: string;
}

export function readClaims(page: string): Claim[] {
  const rows = page.split("\n").filter((line) => /^\| \d+\.\d+\.\d+ \|/.test(line));
  return rows.map((row) => {
    const [, number = "", , answer = "", proof = ""] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    const [, state = "", how = ""] = /^\*\*([^*]+)\*\*[.:]? ?(.*)$/.exec(answer) ?? [];
    return { number, state, how, proof };
  });
}

/** A named test: `` `server/a.test.ts › title` ``, with the names of the groups around it where that tells more. */
export interface NamedTest {
  file: string;
  titles: string[];
}

export function readNamedTests(text: string): NamedTest[] {
  return [...text.matchAll(/`([^`]+?\.(?:test|spec)\.(?:tsx?|mjs)) › ([^`]+)`/g)].map(
    ([, file = "", rest = ""]) => ({
      file,
      titles: rest.split(" › "),
    }),
  );
}

const TITLE = /(?:\b(?:describe|\w*[tT]est|it)(?:\.each)?\(|\)\()\s*(["'`])((?:\\.|(?!\1)[^\\])*)\1/gs;
const INDENT = /^ */;

/** The line where the call begins that a title belongs to: titles of `test.each([…])("…")` stand at the end of theirs. */
function findStart(source: string, index: number): string {
  const lines = source.slice(0, source.indexOf("\n", index) + 1 || undefined).split("\n");
  const until = source.slice(0, index).split("\n").length;
  const [own = ""] = lines.slice(until - 1);
  const indent = INDENT.exec(own)?.[0] ?? "";
  const candidates = lines.slice(0, until).reverse();
  return (
    candidates.find((line) => line.startsWith(indent) && /^[\w(]/.test(line.slice(indent.length))) ?? own
  );
}

/**
 * Titles of a test file as they are written in it (`%s` and `${…}` stay), each with those of the groups around it. Groups are told by
 * their indentation, which the formatter sees to. What is skipped for good isn't there.
 */
export function listTests(source: string): string[][] {
  const groups: { indent: number; title: string }[] = [];
  return [...source.matchAll(TITLE)].flatMap((match) => {
    const start = findStart(source, match.index);
    const indent = INDENT.exec(start)?.[0].length ?? 0;
    while ((groups.at(-1)?.indent ?? -1) >= indent) groups.pop();
    const title = (match[2] ?? "").replaceAll(/\\(["'`\\])/g, "$1");
    if (/^ *(?:describe|test|it)\.(?:skip|todo|fixme|failing)\b/.test(start)) return [];
    const path = [...groups.map((group) => group.title), title];
    if (!/^ *(?:test\.)?describe\b/.test(start)) return [path];
    groups.push({ indent, title });
    return [];
  });
}

const isIn = (path: readonly string[], titles: readonly string[]) =>
  path.at(-1) === titles.at(-1) && titles.every((title) => path.includes(title));

/** By their source: a page names many of one file. */
const known = new Map<string, string[][]>();

/** Why a named test proves nothing; undefined: it is there. @param read for tests of this check. */
export function findFault(
  { file, titles }: NamedTest,
  read: (path: string) => string | undefined = readSource,
): string | undefined {
  const source = read(file);
  if (source === undefined) return `${file} is gone`;
  const tests = known.get(source) ?? listTests(source);
  known.set(source, tests);
  if (tests.some((path) => isIn(path, titles))) return undefined;
  return `${file} has no test “${titles.join(" › ")}”`;
}

const sources = new Map<string, string>();
function readSource(path: string): string | undefined {
  const whole = join(ROOT, path);
  if (!sources.has(path) && existsSync(whole)) sources.set(path, readFileSync(whole, "utf8"));
  return sources.get(path);
}

/** What is wrong with the rows as a whole: numbers that are missing, unknown or there twice; rows that claim without saying how. */
export function findClaimFaults(claims: readonly Claim[], asked = ASKED): string[] {
  const numbers = claims.map(({ number }) => number);
  return [
    ...asked.filter((number) => !numbers.includes(number)).map((number) => `${number} is missing`),
    ...numbers.filter((number) => !asked.includes(number)).map((number) => `${number} is of no such level`),
    ...numbers
      .filter((number, index) => numbers.indexOf(number) < index)
      .map((number) => `${number} is there twice`),
    ...claims.flatMap(({ number, state, how, proof }) => {
      if (!(STATES as readonly string[]).includes(state)) return [`${number} has no state`];
      if (how === "") return [`${number} doesn't say how, or why not`];
      const isProven = readNamedTests(proof).length > 0 || /\]\([^)]+\)/.test(proof);
      return state === "met" && !isProven ? [`${number} is proven by nothing`] : [];
    }),
  ];
}
