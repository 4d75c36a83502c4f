import { readdirSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { is } from "drizzle-orm";
import { PgTable } from "drizzle-orm/pg-core";
import type { ModelDeclaration } from "../declare.ts";

const FOLDER = import.meta.dirname;
/** Of a model that says no order. */
const LAST = 1_000_000;

function isDeclaration(value: unknown): value is ModelDeclaration {
  return typeof value === "object" && value !== null && "table" in value && is(value.table, PgTable);
}

/** What the files of this folder export, one file after the other: Jest's loader loses modules that are asked for twice at once. */
async function loadAll(): Promise<unknown[]> {
  const names = readdirSync(FOLDER)
    .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts") && name !== "all.ts")
    .sort();
  const found: unknown[] = [];
  for (const name of names) {
    const exports: Record<string, unknown> = await import(pathToFileURL(`${FOLDER}/${name}`).href);
    found.push(...Object.values(exports));
  }
  return found;
}

const FOUND = await loadAll();

/** Every content model of the product, in the order that the console shows: each file of this folder may declare one. */
export const DECLARED: readonly ModelDeclaration[] = FOUND.filter(isDeclaration).sort(
  (one, other) => (one.order ?? LAST) - (other.order ?? LAST) || one.name.localeCompare(other.name),
);

/** The Drizzle tables of this folder. */
export const DECLARED_TABLES: readonly PgTable[] = FOUND.filter((value) => is(value, PgTable));
