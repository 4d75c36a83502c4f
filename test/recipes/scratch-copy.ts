import { execFile } from "node:child_process";
import {
  cpSync,
  type Dirent,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

const ROOT = join(import.meta.dirname, "../..");
const CONTRIBUTING = readFileSync(join(ROOT, "docs/contributing.md"), "utf8");

/**
 * What a recipe of docs/contributing.md says, under its heading: its code blocks by the file that stands behind their language
 * (a block with the language `ts` and the file `server/a.ts`), as they are. @throws Error where there is no such recipe.
 */
export function readRecipe(heading: string): ReadonlyMap<string, string> {
  const section = CONTRIBUTING.split(/^## /m).find((text) => text.startsWith(`${heading}\n`));
  if (!section) throw new Error(`docs/contributing.md has no recipe "${heading}"`);
  const blocks = [...section.matchAll(/^( *)```\w+ (\S+)\n(.*?)^ *```$/gms)];
  return new Map(
    blocks.map(([, indent = "", file = "", text = ""]) => [
      file,
      text.replaceAll(new RegExp(`^${indent}`, "gm"), ""),
    ]),
  );
}

/** Folders and files of the repository, copied to where a recipe can be followed. */
export interface ScratchCopy {
  write(file: string, text: string): void;
  /** Puts a text behind a mark that stands in the file once. @throws Error where it doesn't. */
  insert(file: string, mark: string, text: string): void;
  /** Node with these arguments, in the copy. @returns what it printed. Rejects with what it complained of. */
  run(args: readonly string[]): Promise<string>;
  /** What a module's text prints, in a process of the copy with these variables: its imports by `#server/…` are the copy's. */
  runModule(text: string, env?: Record<string, string>): Promise<string>;
  /** A module of the copy, in this process. Whoever asks knows what it exports. */
  load<Module>(file: string): Promise<Module>;
  read(file: string): string;
  /** Files that differ from the repository's, or that it lacks. */
  listTouched(): string[];
  remove(): void;
}

export function makeScratchCopy(names: readonly string[]): ScratchCopy {
  const root = mkdtempSync(join(tmpdir(), "foyer-recipe-"));
  for (const name of [...names, "package.json"])
    cpSync(join(ROOT, name), join(root, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(root, "node_modules"));

  const read = (file: string) => readFileSync(join(root, file), "utf8");
  const write = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const run = async (args: readonly string[], env: Record<string, string> = {}) =>
    (await promisify(execFile)(process.execPath, args, { cwd: root, env: { ...process.env, ...env } }))
      .stdout;
  const isSame = (file: string) => {
    try {
      return readFileSync(join(ROOT, file)).equals(readFileSync(join(root, file)));
    } catch {
      return false; // the repository has no such file
    }
  };
  return {
    write,
    read,
    run: (args) => run(args),
    insert(file, mark, text) {
      const parts = read(file).split(mark);
      if (parts.length !== 2) throw new Error(`${file} has "${mark}" ${parts.length - 1} times`);
      write(file, parts.join(mark + text));
    },
    load: (file) => import(pathToFileURL(join(root, file)).href),
    runModule: (text, env) => run(["--input-type=module-typescript", "-e", text], env),
    listTouched() {
      // Not by a recursive readdir: it would follow the link to the repository's packages.
      const exclude = ({ name }: Dirent) => name === "node_modules";
      const entries = globSync("**", { cwd: root, withFileTypes: true, exclude });
      const files = entries.filter((entry) => entry.isFile());
      return files
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .filter((file) => !isSame(file))
        .sort();
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}
