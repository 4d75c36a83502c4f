/**
 * Who may import whom: the import rule of docs/architecture.md. A rule's comment is what the reader of a failed check
 * sees. Type imports count: a type that crosses a border is a border crossed.
 */
const LAYERS = ["src", "resources", "providers", "locales", "contract", "server", "tools"];
const SUBJECTS =
  "accounts|actions|audit|backup|contact|cv|dashboard|mail|voice|health|content|files|pictures|sample|site|discovery|upkeep";
const AREAS = "site|account|voice|admin";

/** Code that a public page may load: everything in src/ outside of the admin. */
const PUBLIC = "^src/(?!admin/)";

/** What puts subjects together: process, plugin order, command line, the list of all tables. */
const ROOTS = "^server/(app|main|start|cli|commands|tables|create-server|process|open-[a-z]+)\\.ts$";

/** Tests and what only they use: `fixture.ts`, `test-….ts`. */
const TESTS = "(\\.test|/fixture|/test-[^/]+)\\.tsx?$";
const PACKAGES = "(^|/)node_modules/";

/** What a site that only runs has not got. */
const BUILD_PACKAGES = Object.keys(require("./package.json").devDependencies);

const forbid = (name, comment, from, to) => ({ name, severity: "error", comment, from, to });

/** A layer imports itself and what it names; packages are another question. */
function layer(name, allowed) {
  const barred = LAYERS.filter((other) => other !== name && !allowed.includes(other));
  return forbid(
    `layer-${name}`,
    `${name}/ may import ${[...allowed, "packages"].join(", ")}; not ${barred.join(", ")}.`,
    { path: `^${name}/`, pathNot: TESTS },
    { path: `^(${barred.join("|")}|bench|test|bin)/` },
  );
}

/** A room of the server's ground floor, which carries every subject and knows none: it imports itself and what it names. */
function groundFloor(name, allowed) {
  const rooms = [name, ...allowed];
  return forbid(
    `ground-floor-${name}`,
    `Of the server, server/${name}/ may import ${rooms.join(", ")} alone: it carries every subject and knows none.`,
    { path: `^server/${name}/`, pathNot: TESTS },
    { path: "^server/", pathNot: `^server/(${rooms.join("|")})/` },
  );
}

module.exports = {
  forbidden: [
    layer("src", ["resources", "providers", "locales", "contract"]),
    layer("resources", ["contract", "locales"]),
    layer("providers", ["contract", "locales"]),
    layer("locales", []),
    layer("contract", []),
    layer("server", ["contract", "locales"]),
    layer("tools", ["server", "contract", "locales"]),

    forbid(
      "runs-without-build-packages",
      "A server that runs has no devDependencies (`npm run build -- --to-run`): import them where only development comes by.",
      {
        path: "^(server|contract|locales)/",
        pathNot: [TESTS, "^server/db/(drizzle\\.config|generate)\\.ts$"],
      },
      {
        path: `${PACKAGES}(${BUILD_PACKAGES.join("|")})/`,
        dependencyTypesNot: ["type-only"],
        dynamic: false,
      },
    ),
    forbid(
      "contract-only-zod",
      "contract/ is what browser and server agreed on; it imports zod/mini and nothing else.",
      { path: "^contract/", pathNot: TESTS },
      { pathNot: ["^contract/", `${PACKAGES}zod/mini/`] },
    ),
    forbid(
      "public-zod-mini",
      "zod costs a public page 19 kB and a CSP violation; zod/mini costs 4 kB and none.",
      { path: PUBLIC, pathNot: TESTS },
      { path: `${PACKAGES}zod/`, pathNot: `${PACKAGES}zod/mini/` },
    ),
    forbid(
      "public-without-admin-libraries",
      "antd, Refine and TanStack belong to the admin's root; no chunk of them may reach a public page.",
      { path: PUBLIC, pathNot: TESTS },
      { path: `${PACKAGES}(antd|@ant-design|@rc-component|rc-[^/]+|@refinedev|@tanstack)/` },
    ),
    forbid(
      "resources-are-data",
      "resources/ describes Refine resources; drawing is the admin's.",
      { path: "^resources/", pathNot: TESTS },
      { path: `${PACKAGES}(react|react-dom|antd|@ant-design)/` },
    ),
    forbid(
      "resources-for-the-console",
      "resources/ is what the console's views draw; a public page would carry it for nothing.",
      { path: PUBLIC, pathNot: TESTS },
      { path: "^resources/" },
    ),
    forbid(
      "area-to-area",
      "One area of src/ does not import another; what two of them need goes to src/ui/.",
      { path: `^src/(${AREAS})/` },
      { path: `^src/(${AREAS})/`, pathNot: "^src/$1/" },
    ),
    forbid(
      "ui-to-area",
      "src/ui/ serves the areas and knows none of them.",
      { path: "^src/ui/" },
      { path: `^src/(${AREAS})/` },
    ),

    forbid(
      "subject-through-service",
      "A subject reaches another one only through its service.ts.",
      { path: `^server/(${SUBJECTS})/`, pathNot: TESTS },
      { path: `^server/(${SUBJECTS})/`, pathNot: [`^server/$1/`, "^server/[^/]+/service\\.ts$"] },
    ),
    groundFloor("base", []),
    groundFloor("db", ["base"]),
    groundFloor("socket", ["base"]),
    groundFloor("cluster", ["base"]),
    groundFloor("http", ["base", "db"]),
    groundFloor("models", ["base", "db"]),
    forbid(
      "roots-are-ends",
      "app.ts, start.ts, commands.ts, open-….ts and the like put the pieces together; no piece imports them.",
      { path: "^server/", pathNot: [ROOTS, TESTS] },
      { path: ROOTS },
    ),

    forbid(
      "no-test-in-product",
      "Tests, fixture.ts and test-….ts serve tests only.",
      { path: `^(${LAYERS.join("|")})/`, pathNot: TESTS },
      { path: TESTS },
    ),
    forbid("no-cycle", "Files that need each other are one file, or lack a third.", {}, { circular: true }),
    forbid(
      "no-barrel",
      "Import from the file that declares the thing; a file of re-exports hides where that is.",
      { path: `^(${LAYERS.join("|")})/`, pathNot: "^server/tables\\.ts$" },
      { dependencyTypes: ["export"] },
    ),
    forbid("no-unresolved", "The import leads nowhere.", {}, { couldNotResolve: true }),
  ],
  options: {
    parser: "swc",
    tsPreCompilationDeps: true,
    doNotFollow: { path: "node_modules" },
    exclude: { path: "^(dist|data|\\.cache)/" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "node", "default", "types"],
      extensions: [".ts", ".tsx", ".mjs", ".js", ".cjs", ".json", ".d.ts"],
    },
  },
};
