import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { RecordedLine } from "./recording.ts";

// What two recordings differ in: node test/phoenix/compare.ts test/phoenix/transcripts out

/** What servers sent to one client of a scenario, where it isn't the same: the rest of either side. */
export interface Difference {
  scenario: string;
  /** Name of the client; `http` for plain requests. */
  conn: string;
  first: string[];
  second: string[];
}

/** By client, what the server sent, without what differs from run to run. */
export type Transcript = ReadonlyMap<string, readonly string[]>;

const RUN_DEPENDENT = new Set(["phx_ref", "phx_ref_prev", "token"]);

/** Key order says nothing in JSON. */
function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    entries.map(([key, inner]) => [key, RUN_DEPENDENT.has(key) ? "#" : toSorted(inner)]),
  );
}

function normalize(text: string): string {
  let value: unknown;
  try {
    value = toSorted(JSON.parse(text));
  } catch {
    return text; // bodies that aren't JSON are compared as they are
  }
  if (typeof value === "object" && value !== null && "messages" in value && Array.isArray(value.messages)) {
    value.messages = value.messages.map((message) => normalize(String(message)));
  }
  return JSON.stringify(value);
}

function toFrameText(line: RecordedLine): string {
  switch (line.kind) {
    case "text":
      return `T ${normalize(String(line.data))}`;
    case "binary":
      return `B ${line.hex}`;
    case "upgrade":
      return `U ${line.status} ${line.protocol}`;
    case "close":
      return `C ${line.code}`;
    case "http":
      return `H ${line.status} ${normalize(String(line.body))}`;
    default:
      return String(line.kind);
  }
}

export function readTranscript(file: string): Transcript {
  const byClient = new Map<string, string[]>();
  const [, ...lines] = readFileSync(file, "utf8").trim().split("\n");
  for (const text of lines) {
    const line = JSON.parse(text) as RecordedLine; // as `Recording` writes them
    if (line.dir !== "s2c") continue;
    const name = line.conn || "http";
    const frames = byClient.get(name) ?? [];
    frames.push(toFrameText(line));
    byClient.set(name, frames);
  }
  return byClient;
}

/** What of `frames` isn't in `others`, each as often as it is too many. */
function without(frames: readonly string[], others: readonly string[]): string[] {
  const rest = [...others];
  return frames.filter((frame) => {
    const found = rest.indexOf(frame);
    if (found >= 0) rest.splice(found, 1);
    return found < 0;
  });
}

/** Same frames in another order are a difference of everything. */
function compareFrames(
  first: readonly string[],
  second: readonly string[],
): Pick<Difference, "first" | "second"> {
  const sides = { first: without(first, second), second: without(second, first) };
  const isOrderOnly = sides.first.length === 0 && sides.second.length === 0;
  return isOrderOnly ? { first: [...first], second: [...second] } : sides;
}

export function compareTranscripts(scenario: string, first: Transcript, second: Transcript): Difference[] {
  const names = new Set([...first.keys(), ...second.keys()]);
  return [...names].flatMap((conn) => {
    const a = first.get(conn) ?? [];
    const b = second.get(conn) ?? [];
    return a.join("\n") === b.join("\n") ? [] : [{ scenario, conn, ...compareFrames(a, b) }];
  });
}

function main(firstDirectory: string, secondDirectory: string): void {
  const inSecond = new Set(readdirSync(secondDirectory));
  const files = readdirSync(firstDirectory).filter((file) => file.endsWith(".jsonl") && inSecond.has(file));
  let differing = 0;
  for (const file of files) {
    const first = readTranscript(join(firstDirectory, file));
    const differences = compareTranscripts(file, first, readTranscript(join(secondDirectory, file)));
    if (differences.length > 0) differing += 1;
    for (const { conn, first: a, second: b } of differences) {
      console.log(`${file} ${conn}\n  only first:  ${a.join("\n    ")}\n  only second: ${b.join("\n    ")}`);
    }
  }
  console.log(`${files.length} scenarios compared, ${differing} differ`);
}

const [, script, firstDirectory, secondDirectory] = process.argv;
if (script && import.meta.url === pathToFileURL(script).href) {
  if (!firstDirectory || !secondDirectory) throw new Error("compare.ts takes two directories");
  main(firstDirectory, secondDirectory);
}
