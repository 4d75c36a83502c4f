import { expect, test } from "@jest/globals";
import { findRelatedTests } from "./related-tests.mjs";

const toModule = ([source, ...imports]) => ({
  source,
  dependencies: imports.map((resolved) =>
    resolved.startsWith("type ")
      ? { resolved: resolved.slice(5), dependencyTypes: ["local", "import", "type-only"] }
      : { resolved, dependencyTypes: ["local", "import"] },
  ),
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

test("texts for people break no test, what the build reads breaks none of Jest's", () => {
  expect(find("README.md", "docs/pictures/cv.png", "public/robots.txt", "vite.config.ts")).toEqual([]);
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
