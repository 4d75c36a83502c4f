import { dirname } from "node:path";

/**
 * What is read at run time and not imported: whatever lies below the first path counts as imported by the second.
 * `test/jest/` and the like are read by Jest itself and stand in EVERYTHING.
 */
const READ_AT_RUN_TIME = [
  ["bin/lib/console-texts.mjs", "test/recipes/console-screen.test.ts"],
  ["bin/texts.mjs", "test/recipes/console-screen.test.ts"],
  ["docs/architecture.md", "test/docs/links.test.ts"],
  ["docs/contributing.md", "test/docs/links.test.ts"],
  ["docs/contributing.md", "test/recipes/scratch-copy.ts"],
  ["docs/decisions/", "test/docs/decisions.test.ts"],
  ["docs/decisions/", "test/docs/links.test.ts"],
  ["docs/map.md", "test/docs/links.test.ts"],
  ["docs/map.md", "test/docs/map.test.ts"],
  ["contract/site/pages.ts", "test/recipes/public-screen.test.ts"],
  ["locales/", "bin/lib/console-texts.test.mjs"],
  ["locales/", "locales/locales.test.ts"],
  ["locales/en/admin", "providers/i18n.ts"],
  ["locales/en/mail-", "providers/i18n.ts"],
  ["locales/tr/admin", "providers/i18n.ts"],
  ["locales/tr/mail-", "providers/i18n.ts"],
  ["resources/", "test/recipes/console-screen.test.ts"],
  ["server/db/generate.ts", "test/recipes/model.test.ts"],
  ["server/db/migrations/", "server/db/migrate.ts"],
  ["server/mail/", "src/admin/views/history/describe-entry.test.ts"],
  ["server/mail/", "test/recipes/mail-kind.test.ts"],
  ["server/models/columns.ts", "test/recipes/model.test.ts"],
  ["server/models/declare.ts", "test/recipes/model.test.ts"],
  ["server/models/declared/", "server/models/declared/all.ts"],
  ["server/models/kinds.ts", "test/recipes/field-kind.test.ts"],
  ["server/models/kinds/", "server/models/kinds.ts"],
  ["server/pictures/", "server/pictures/drawing-process.ts"],
  ["server/sample/files/", "server/sample/seed-sample.ts"],
  ["server/sample/pages/", "server/sample/seed-pages.ts"],
  ["src/admin/router.tsx", "test/recipes/console-screen.test.ts"],
  ["src/admin/views/kinds/", "test/recipes/field-kind.test.ts"],
  ["src/admin/views/kinds/controls/", "src/admin/views/kinds/registry.ts"],
  ["src/", "src/admin/refine-traps/not-used.test.ts"],
  ["src/public-screens.tsx", "test/recipes/public-screen.test.ts"],
  ["src/ui/tokens.css", "src/admin/preferences/antd-theme.test.ts"],
  ["src/site/cv/sections/", "src/site/cv/section-components.ts"],
  ["src/ui/tokens.css", "src/ui/tokens.test.ts"],
  ["src/ui/tokens.css", "server/pictures/child/draw-preview.test.ts"],
  ["test/global-setup.ts", "test/database.ts"],
  ["test/phoenix/", "server/socket/conformance.test.ts"],
  ["test/recorded-back-end/", "providers/refine/recorded-back-end.test.ts"],
  ["test/resumes/", "test/resumes/samples.ts"],
];

/** A change of these can break any test. */
const EVERYTHING =
  /^(package(-lock)?\.json|jest\.config\.mjs|tsconfig\.json|test\/(jest\/|[a-z-]+-globals\.ts)|\.npmrc)/;

/** A change of these breaks no test but those that read them. */
const NOTHING = /(^docs\/|\.md$|^LICENSE$|^\.env\.example$|^\.editorconfig$|^\.git)/;

/** What no unit test reads: the build, the browser tests and the checks see it. */
const NOT_IN_JEST =
  /(^public\/|^index\.html$|^vite\.config\.ts$|^\.ci\/|\.css$|\.html$|^\.?[a-z-]+\.(json|cjs)$)/;

const isTest = (file) => /\.test\.(tsx?|mjs)$/.test(file);

/** Fetch each screen when somebody goes there. A test of one screen reads these too, and draws none of the others. */
const SCREEN_TABLES = ["src/admin/router.tsx", "src/public-screens.tsx"];

/** Draws all screens of the public table: its tests are concerned by each of them. */
const DRAWS_ALL = "src/entry-server.tsx";

/** Screens that tests of other folders draw: those of lists, forms and their parts do it on a model's page. */
const SHARED_SCREENS = ["src/admin/model-pages/model-page.tsx", "src/admin/views/record/record-drawer.tsx"];

/**
 * The tests that a change of `files` can break, through imports of imports (dependency-cruiser's `modules`) and what is read at
 * run time. Imports of types alone are left out, because the compiler checks those. A change that one screen alone shows
 * concerns, through the table of screens, the tests beside that screen and beside what imports the change on the way to it.
 * Undefined (all tests) where a file's reach isn't known.
 */
export function findRelatedTests(files, modules) {
  const importers = toImporters(modules);
  const known = new Set(modules.map(({ source }) => source));
  const related = new Set();
  for (const file of files) {
    if (NOTHING.test(file) && listReaders(file).length === 0) continue;
    if (EVERYTHING.test(file)) return undefined;
    if (!known.has(file) && listReaders(file).length === 0 && !NOT_IN_JEST.test(file)) return undefined;
    for (const test of listTestsOf(file, importers)) if (known.has(test)) related.add(test);
  }
  return [...related].sort();
}

function listTestsOf(file, importers) {
  const screens = new Set();
  const tables = new Set();
  const reached = follow([file], importers, ({ source, isDynamic }, imported) => {
    if (!isDynamic || !SCREEN_TABLES.includes(source)) return true;
    screens.add(imported);
    tables.add(source);
    return false;
  });
  const drawers = tables.has("src/public-screens.tsx") ? follow([DRAWS_ALL], importers, () => true) : [];
  const direct = [...reached, ...drawers].filter(isTest);
  const throughTables = follow([...tables], importers, () => true).filter(isTest);
  const folders = new Set([...screens].map(dirname));
  if (folders.size > 1 || SHARED_SCREENS.some((screen) => screens.has(screen)))
    return [...direct, ...throughTables];
  const besides = new Set(reached.filter((importer) => !isTest(importer)).map(dirname));
  const own = throughTables.filter((test) => besides.has(dirname(test)));
  // A screen without tests of its own: others may draw it.
  const hasOwn = own.some((test) => folders.has(dirname(test)));
  return [...direct, ...(hasOwn ? own : throughTables)];
}

/** These files and whatever imports or reads them, as far as `isFollowed` lets an import be followed. */
function follow(from, importers, isFollowed) {
  const found = new Set();
  const open = [...from];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    if (found.has(at)) continue;
    found.add(at);
    const imported = at;
    const followed = (importers.get(at) ?? []).filter((importer) => isFollowed(importer, imported));
    open.push(...followed.map(({ source }) => source), ...listReaders(at));
  }
  return [...found];
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
      const isDynamic = dependencyTypes.includes("dynamic-import");
      importers.set(resolved, [...(importers.get(resolved) ?? []), { source, isDynamic }]);
    }
  }
  return importers;
}
