import { readFile, stat } from "node:fs/promises";
import { ResumeError } from "./faults.ts";
import type { JsonValue } from "./json.ts";
import { findJsonFault } from "./json-fault.ts";

export const MAX_FILE_BYTES = 5 * 1024 * 1024;
const TOO_LARGE = `the file is larger than ${MAX_FILE_BYTES / 1024 / 1024} MB`;

const READ_FAULTS: Record<string, string> = {
  ENOENT: "there is no such file",
  EACCES: "it can't be read: permission denied",
  EISDIR: "it is a folder",
};

/** The text of bytes in UTF-8, with or without a byte order mark. @throws ResumeError */
export function decodeResume(bytes: Uint8Array): string {
  if (bytes.byteLength > MAX_FILE_BYTES) throw new ResumeError([TOO_LARGE]);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new ResumeError(["the file is no text in UTF-8"]);
  }
}

/** The value of a JSON text. @throws ResumeError that names line and column */
export function parseResume(text: string): JsonValue {
  try {
    const parsed: JsonValue = JSON.parse(text);
    return parsed;
  } catch (error) {
    throw new ResumeError([findJsonFault(text) ?? String(error)]);
  }
}

/** The code of a fault of the file system. No `instanceof`: tests run in a realm of their own. */
function getCode(error: unknown): string | undefined {
  return typeof error === "object" && error !== null && "code" in error ? String(error.code) : undefined;
}

/** Reads a file for an import. @throws ResumeError when it can't be read as a text of at most 5 MB */
export async function readResumeFile(path: string): Promise<string> {
  let bytes: Uint8Array;
  try {
    const { size } = await stat(path);
    if (size > MAX_FILE_BYTES) throw new ResumeError([TOO_LARGE]);
    bytes = await readFile(path);
  } catch (error) {
    const code = getCode(error);
    throw code === undefined
      ? error
      : new ResumeError([`${path}: ${READ_FAULTS[code] ?? `it can't be read (${code})`}`]);
  }
  return decodeResume(bytes);
}
