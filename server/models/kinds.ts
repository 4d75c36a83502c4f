import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FieldKind } from "./model.ts";

const FOLDER = join(import.meta.dirname, "kinds");

async function load(file: string): Promise<[string, FieldKind]> {
  const { kind } = (await import(pathToFileURL(join(FOLDER, file)).href)) as { kind?: FieldKind };
  if (!kind) throw new Error(`server/models/kinds/${file} exports no kind`);
  return [kind.name, kind];
}

/** One after the other: Jest's loader loses modules that are asked for twice at the same time. */
async function loadAll(): Promise<Record<string, FieldKind>> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  // Without a prototype: "constructor" is no kind.
  const kinds: Record<string, FieldKind> = Object.create(null);
  for (const name of names) {
    const [key, kind] = await load(name);
    kinds[key] = kind;
  }
  return kinds;
}

/** Every kind by the name that declarations use: each file of `kinds/` is one, and nothing else lists them. */
export const KINDS: Readonly<Record<string, FieldKind>> = await loadAll();
