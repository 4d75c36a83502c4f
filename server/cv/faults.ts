import type { JsonPath, JsonValue } from "./json.ts";

/** One thing wrong in a file: where, and what belongs there. */
export interface Fault {
  path: JsonPath;
  expected: string;
  /** What stands there, when showing it helps. */
  found?: JsonValue;
}

/** A file that can't be imported. `faults` are lines for people; nothing was written. */
export class ResumeError extends Error {
  override name = "ResumeError";
  readonly faults: readonly string[];
  constructor(faults: readonly string[]) {
    super(`The file can't be imported:\n${faults.map((fault) => `  - ${fault}`).join("\n")}`);
    this.faults = faults;
  }
}

const MAX_FOUND_CHARS = 60;

/** `work[2].startDate`; a key that is no plain word stands in brackets. */
export function formatPath(path: JsonPath): string {
  const text = path
    .map((part) => {
      if (typeof part === "number") return `[${part}]`;
      return /^[A-Za-z_$][\w$]*$/.test(part) ? `.${part}` : `[${JSON.stringify(part)}]`;
    })
    .join("");
  return text.replace(/^\./, "") || "the file";
}

function formatFound(value: JsonValue): string {
  const text = JSON.stringify(value);
  return text.length > MAX_FOUND_CHARS ? `${text.slice(0, MAX_FOUND_CHARS)}…` : text;
}

/** A fault as a line: `work[2].startDate: expected …, found "May 2020"`. */
export function formatFault({ path, expected, found }: Fault): string {
  return `${formatPath(path)}: expected ${expected}${found === undefined ? "" : `, found ${formatFound(found)}`}`;
}
