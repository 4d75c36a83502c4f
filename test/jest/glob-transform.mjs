import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { dirname, matchesGlob, normalize } from "node:path";
import { createTransformer } from "@swc/jest";

/** `import.meta.glob<Type>("./kinds/*.tsx", { eager: true, import: "kinds" })`: its arguments are literals. */
const GLOB = /import\.meta\.glob(?:<[^(]*>)?\(([^()]*)\)/g;

/** A pattern without its `./`, which Node's own globs don't take off. */
const clean = (pattern) => normalize(pattern.replace(/^!/, ""));

/** The files that Vite would find from a file, as they are written in an import: `./kinds/colour.tsx`. */
export function findFiles(patterns, file) {
  const [wanted, barred] = [false, true].map((isBarred) =>
    patterns.filter((pattern) => pattern.startsWith("!") === isBarred).map(clean),
  );
  return globSync(wanted, { cwd: dirname(file) })
    .filter((path) => !barred.some((pattern) => matchesGlob(path, pattern)))
    .map((path) => (path.startsWith("..") ? path : `./${path}`))
    .sort();
}

/**
 * Puts imports in the place of Vite's globs, which Jest doesn't have: eager ones alone, of one export each.
 * @returns the source itself where it has none.
 */
export function withImports(source, file) {
  const imports = [];
  const replaced = source.replace(GLOB, (call, literals) => {
    // Literals of our own source; Vite takes nothing else here either.
    const [patterns, { eager, import: name }] = new Function(`return [${literals}]`)();
    if (!eager || !name) throw new Error(`${file}: Jest knows eager globs of one export, not ${call}`);
    const entries = findFiles([patterns].flat(), file).map((path) => {
      const attributes = path.endsWith(".json") ? ' with { type: "json" }' : "";
      const local = `glob_${imports.length}`;
      imports.push(`import { ${name} as ${local} } from ${JSON.stringify(path)}${attributes};`);
      return `${JSON.stringify(path)}: ${local}`;
    });
    return `({ ${entries.join(", ")} })`;
  });
  // Before the first line, so that lines keep their numbers.
  return imports.length > 0 ? `${imports.join(" ")} ${replaced}` : source;
}

/** @swc/jest, with globs. A file that comes or goes is a new text to Jest's cache. */
export default {
  createTransformer(options) {
    const swc = createTransformer(options);
    return {
      ...swc,
      process: (source, file, ...rest) => swc.process(withImports(source, file), file, ...rest),
      processAsync: (source, file, ...rest) => swc.processAsync(withImports(source, file), file, ...rest),
      getCacheKey: (source, file, ...rest) =>
        createHash("sha1")
          .update(swc.getCacheKey(withImports(source, file), file, ...rest))
          .update("globs 1")
          .digest("hex"),
    };
  },
};
