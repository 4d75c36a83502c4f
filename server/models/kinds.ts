import { readdirSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { CONTROLS } from "#contract/content/models.ts";
import type { FieldKind } from "./model.ts";

const FOLDER = join(import.meta.dirname, "kinds");

/** @throws Error with the file where it has no kind, or one that the console couldn't draw: its types aren't checked at start. */
export function requireKind(file: string, { kind }: { kind?: FieldKind }): FieldKind {
  if (!kind) throw new Error(`server/models/kinds/${file} exports no kind`);
  if (!CONTROLS.includes(kind.control))
    throw new Error(
      `server/models/kinds/${file}: "${kind.control}" is no control of contract/content/models.ts`,
    );
  return kind;
}

/** One after the other: Jest's loader loses modules that are asked for twice at the same time. */
async function loadAll(): Promise<Record<string, FieldKind>> {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"));
  // Without a prototype: "constructor" is no kind.
  const kinds: Record<string, FieldKind> = Object.create(null);
  for (const name of names) {
    const kind = requireKind(name, await import(pathToFileURL(join(FOLDER, name)).href));
    if (kinds[kind.name])
      throw new Error(`server/models/kinds/${name}: another file has the kind ${kind.name}`);
    kinds[kind.name] = kind;
  }
  return kinds;
}

/** Every kind by the name that declarations use: each file of `kinds/` is one, and nothing else lists them. */
export const KINDS: Readonly<Record<string, FieldKind>> = await loadAll();
