import type { RecordWriter } from "#server/models/record-writer.ts";
import { createLevelWriter } from "./level-writer.ts";
import type { AdminParts } from "./parts.ts";
import { createUserWriter } from "./user-writer.ts";

/** Who writes the models of accounts, by their keys: the engine of content asks them, and no other rules hold at any door. */
export function createAccountWriters(parts: AdminParts): ReadonlyMap<string, RecordWriter> {
  return new Map([
    ["accounts.user", createUserWriter(parts)],
    ["accounts.access_level", createLevelWriter(parts)],
  ]);
}
