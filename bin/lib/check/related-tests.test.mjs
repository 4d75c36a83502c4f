import { describe, expect, test } from "@jest/globals";
import { findRelatedTests } from "./related-tests.mjs";

const KINDS = { type: ["local", "import", "type-only"], lazy: ["local", "dynamic-import"] };

const toModule = ([source, ...imports]) => ({
  source,
  dependencies: imports.map((text) => {
    const [resolved, kind] = text.split(" ").reverse();
    return { resolved, dependencyTypes: KINDS[kind] ?? ["local", "import"] };
  }),
});

const MODULES = [
  ["server/list.ts", "server/sql.ts"],
  ["server/sql.ts"],
  ["server/list.test.ts", "server/list.ts"],
  ["server/shape.test.ts", "type server/sql.ts"],
  ["server/far.test.ts", "server/far.ts"],
  ["server/far.ts"],
  ["server/models/kinds.ts"],
  ["server/models/kinds/text.ts"],
  ["server/registry.test.ts", "server/models/kinds.ts"],
  ["src/admin/refine-traps/not-used.test.ts"],
  ["src/screen.tsx"],
  [
    "src/admin/router.tsx",
    "lazy src/admin/users/page.tsx",
    "lazy src/admin/jobs/page.tsx",
    "lazy src/admin/model-pages/model-page.tsx",
    "lazy src/admin/untested/page.tsx",
    "src/frame.tsx",
  ],
  ["src/admin/users/page.tsx", "src/list.tsx", "src/admin/counts/use-counts.ts"],
  ["src/admin/model-pages/model-page.tsx"],
  ["src/admin/untested/page.tsx"],
  ["src/admin/counts/use-counts.ts"],
  ["src/admin/counts/use-counts.test.tsx", "src/admin/router.tsx"],
  ["src/admin/users/page.test.tsx", "src/admin/router.tsx"],
  ["src/admin/jobs/page.tsx", "src/list.tsx", "lazy src/admin/jobs/drawer.tsx"],
  ["src/admin/jobs/drawer.tsx"],
  ["src/admin/jobs/page.test.tsx", "src/admin/router.tsx"],
  ["src/frame.test.tsx", "src/frame.tsx", "src/admin/router.tsx"],
  ["src/other.test.tsx", "lazy src/admin/jobs/drawer.tsx"],
  ["src/public-screens.tsx", "lazy src/site/cv/cv-page.tsx", "lazy src/site/dev/dev-page.tsx"],
  ["src/site/cv/cv-page.tsx"],
  ["src/site/cv/cv-page.test.tsx", "src/public-screens.tsx"],
  ["src/site/dev/dev-page.tsx"],
  ["src/site/dev/dev-page.test.tsx", "src/public-screens.tsx"],
  ["src/entry-server.tsx", "src/public-screens.tsx"],
  ["src/entry-server.test.tsx", "src/entry-server.tsx"],
  ["src/list.tsx"],
  ["src/frame.tsx"],
  ["test/docs/decisions.test.ts"],
  ["test/docs/links.test.ts"],
].map(toModule);

const find = (...files) => findRelatedTests(files, MODULES);

test("imports of imports are followed, imports of types are the compiler's", () => {
  expect(find("server/sql.ts")).toEqual(["server/list.test.ts"]);
});

test("a changed test is its own relative", () => {
  expect(find("server/far.test.ts")).toEqual(["server/far.test.ts"]);
});

test("what is read at run time counts as imported", () => {
  expect(find("server/models/kinds/text.ts")).toEqual(["server/registry.test.ts"]);
  expect(find("src/screen.tsx")).toEqual(["src/admin/refine-traps/not-used.test.ts"]);
});

describe("through the table of screens,", () => {
  const REFINE = "src/admin/refine-traps/not-used.test.ts";
  const COUNTS = "src/admin/counts/use-counts.test.tsx";
  const JOBS = "src/admin/jobs/page.test.tsx";
  const USERS = "src/admin/users/page.test.tsx";
  const ALL = [COUNTS, JOBS, REFINE, USERS, "src/frame.test.tsx"];

  test("what one screen shows concerns the tests in its folder", () => {
    expect(find("src/admin/users/page.tsx")).toEqual([REFINE, USERS]);
  });

  test("and those beside the change, which draw it on that screen", () => {
    expect(find("src/admin/counts/use-counts.ts")).toEqual([COUNTS, REFINE, USERS]);
  });

  test("and those that import it themselves, however late", () => {
    expect(find("src/admin/jobs/drawer.tsx")).toEqual([JOBS, REFINE, "src/other.test.tsx"]);
  });

  test("changes of two screens concern the tests of both, no others", () => {
    expect(find("src/admin/jobs/page.tsx", "src/admin/users/page.tsx")).toEqual([JOBS, REFINE, USERS]);
  });

  test.each([
    ["what two screens show", "src/list.tsx"],
    ["what is there before any screen", "src/frame.tsx"],
    ["the screen on which lists and forms are tried", "src/admin/model-pages/model-page.tsx"],
    ["a screen without tests of its own", "src/admin/untested/page.tsx"],
  ])("%s concerns all that draw screens", (_what, file) => {
    expect(find(file)).toEqual(ALL);
  });
});

test("a public screen concerns the tests in its folder and those of what the server draws", () => {
  expect(find("src/site/cv/cv-page.tsx")).toEqual([
    "src/admin/refine-traps/not-used.test.ts",
    "src/entry-server.test.tsx",
    "src/site/cv/cv-page.test.tsx",
  ]);
});

test("texts for people break no test, what the build reads breaks none of Jest's", () => {
  expect(find("README.md", "docs/pictures/cv.png", "public/robots.txt", "vite.config.ts")).toEqual([]);
});

test("texts for people that a test reads concern that test", () => {
  expect(find("docs/decisions/001-embedded-postgresql.md")).toEqual([
    "test/docs/decisions.test.ts",
    "test/docs/links.test.ts",
  ]);
});

test.each([
  "package.json",
  "package-lock.json",
  "jest.config.mjs",
  "test/jest/plain-node.mjs",
  "server/unheard.bin",
])("%s can break everything", (file) => {
  expect(find("server/sql.ts", file)).toBeUndefined();
});

test("a file that is gone concerns all: nobody can tell any more who imported it", () => {
  expect(find("server/removed.ts")).toBeUndefined();
});
