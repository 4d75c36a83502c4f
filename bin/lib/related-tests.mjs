/**
 * What is read at run time and not imported: whatever lies below the first path counts as imported by the second.
 * `test/jest/` and the like are read by Jest itself and stand in EVERYTHING.
 */
const READ_AT_RUN_TIME = [
  ["locales/", "locales/locales.test.ts"],
  ["server/db/migrations/", "server/db/migrate.ts"],
  ["server/models/kinds/", "server/models/kinds.ts"],
  ["server/pictures/", "server/pictures/child-command.ts"],
  ["server/sample/files/", "server/sample/shipped-file.ts"],
  ["server/sample/pages/", "server/sample/seed-pages.ts"],
  ["src/", "src/admin/refine-traps/not-used.test.ts"],
  ["src/ui/tokens.css", "src/admin/tokens.test.ts"],
  ["src/ui/tokens.css", "src/ui/tokens.test.ts"],
  ["src/ui/tokens.css", "server/pictures/child/preview-style.test.ts"],
  ["test/global-setup.ts", "test/database.ts"],
  ["test/phoenix/", "server/socket/conformance.test.ts"],
  ["test/recorded-back-end/", "providers/recorded-back-end.test.ts"],
  ["test/resumes/", "test/resumes/samples.ts"],
];

/** A change of these can break any test. */
const EVERYTHING =
  /^(package(-lock)?\.json|jest\.config\.mjs|tsconfig\.json|test\/(jest\/|[a-z-]+-globals\.ts)|\.npmrc)/;

/** A change of these breaks no test. */
const NOTHING = /(^docs\/|\.md$|^LICENSE$|^\.env\.example$|^\.editorconfig$|^\.git)/;

/** What no unit test reads: the build, the browser tests and the checks see it. */
const NOT_IN_JEST =
  /(^public\/|^index\.html$|^vite\.config\.ts$|^\.ci\/|\.css$|\.html$|^\.?[a-z-]+\.(json|cjs)$)/;

const isTest = (file) => /\.test\.(tsx?|mjs)$/.test(file);

/**
 * The tests that a change of `files` can break, through imports of imports (dependency-cruiser's `modules`) and what is read at
 * run time. Imports of types alone are left out, because the compiler checks those. Undefined (all tests) where a file's reach
 * isn't known.
 */
export function findRelatedTests(files, modules) {
  const importers = toImporters(modules);
  const known = new Set(modules.map(({ source }) => source));
  const reached = new Set();
  const open = [];
  for (const file of files) {
    if (NOTHING.test(file)) continue;
    const readers = listReaders(file);
    if (EVERYTHING.test(file)) return undefined;
    if (!known.has(file) && readers.length === 0 && !NOT_IN_JEST.test(file)) return undefined;
    open.push(file);
  }
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (reached.has(file)) continue;
    reached.add(file);
    open.push(...(importers.get(file) ?? []), ...listReaders(file));
  }
  return [...reached].filter((file) => isTest(file) && known.has(file)).sort();
}

const listReaders = (file) =>
  READ_AT_RUN_TIME.filter(([path, reader]) => file.startsWith(path) && file !== reader).map(
    ([, reader]) => reader,
  );

function toImporters(modules) {
  const importers = new Map();
  for (const { source, dependencies } of modules) {
    for (const { resolved, dependencyTypes } of dependencies) {
      if (dependencyTypes.includes("type-only")) continue;
      importers.set(resolved, [...(importers.get(resolved) ?? []), source]);
    }
  }
  return importers;
}
