import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";

/** A statement that comes once or twice is not worth a place: PostgreSQL keeps the named ones of each connection until it ends. */
const USES_BEFORE_NAME = 3;
const MAX_NAMES = 40;
const MAX_COUNTED = 500;

/**
 * Names for the texts of statements that come often. PostgreSQL parses and plans a named one once for each connection: for
 * writes by key that is more than half of their work. A search must have none: its plan depends on what is searched.
 */
export function createStatementNames(): (text: string) => string | undefined {
  const names = new Map<string, string>();
  const uses = new LRUCache<string, number>({ max: MAX_COUNTED });
  return (text) => {
    const known = names.get(text);
    if (known !== undefined || names.size >= MAX_NAMES) return known;
    const count = (uses.get(text) ?? 0) + 1;
    uses.set(text, count);
    if (count <= USES_BEFORE_NAME) return undefined;
    uses.delete(text);
    const name = `write_${createHash("md5").update(text).digest("hex")}`;
    names.set(text, name);
    return name;
  };
}
