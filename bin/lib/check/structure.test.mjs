import { describe, expect, test } from "@jest/globals";
import { judgeStructure, measureStructure } from "./structure.mjs";

const KINDS = { type: ["local", "import", "type-only"], lazy: ["local", "dynamic-import"] };

/** `"file: other, type other, lazy other"` in place of dependency-cruiser's report. */
const toModules = (lines) =>
  lines.map((line) => {
    const [source, imports = ""] = line.split(": ");
    const dependencies = imports
      .split(", ")
      .filter(Boolean)
      .map((text) => {
        const [resolved, kind] = text.split(" ").reverse();
        return { module: resolved, resolved, dependencyTypes: KINDS[kind] ?? ["local", "import"] };
      });
    return { source, dependencies };
  });

function measure(lines, { lengths = {}, walks = {} } = {}) {
  const figures = measureStructure(toModules(lines), (file) => lengths[file] ?? 100, walks);
  return Object.fromEntries(figures.map(({ name, value, where }) => [name, { value, where }]));
}

describe("what is counted", () => {
  test("only the product's files, without tests and what only they use", () => {
    const files = [
      "server/a.ts",
      "src/b.tsx",
      "server/a.test.ts",
      "server/fixture.ts",
      "src/test-b.tsx",
      "bench/c.ts",
    ];
    expect(measure(files)["product files"].value).toBe(2);
  });

  test("lines, their mean, and small files by name", () => {
    const found = measure(["server/a.ts", "server/b.ts", "server/c.ts"], {
      lengths: { "server/a.ts": 25, "server/b.ts": 26, "server/c.ts": 101 },
    });
    expect(found["lines of the product"].value).toBe(152);
    expect(found["mean lines of a file"].value).toBe(51);
    expect(found["files of at most 25 lines"]).toEqual({ value: 1, where: ["server/a.ts"] });
  });

  test("a folder of 21 files is over, one of 20 isn't, and a flat registry never", () => {
    const fill = (folder, count) => Array.from({ length: count }, (_, index) => `${folder}/f${index}.ts`);
    const files = [...fill("server/a", 21), ...fill("server/b", 20), ...fill("server/models/kinds", 30)];
    expect(measure(files)["folders of the product over 20 files"]).toEqual({
      value: 1,
      where: ["server/a (21)"],
    });
  });

  test("folders that need each other are counted once, by where their paths part; types count", () => {
    const found = measure([
      "server/a/one.ts: server/b/deep/two.ts, server/c/four.ts",
      "server/b/three.ts: type server/a/deep/five.ts",
      "server/b/deep/two.ts",
      "server/a/deep/five.ts",
      "server/c/four.ts",
    ]);
    expect(found["pairs of folders that need each other"]).toEqual({
      value: 1,
      where: ["server/a and server/b"],
    });
  });

  test("a folder and what lies inside it are no pair", () => {
    const found = measure([
      "server/a/one.ts: server/a/deep/two.ts",
      "server/a/deep/two.ts: server/a/three.ts",
      "server/a/three.ts",
    ]);
    expect(found["pairs of folders that need each other"].value).toBe(0);
  });

  test("a module that server/app.ts imports twice counts once", () => {
    const found = measure([
      "server/app.ts: server/a.ts, type server/a.ts, server/b.ts",
      "server/a.ts",
      "server/b.ts",
    ]);
    expect(found["imports of server/app.ts"].value).toBe(2);
  });

  describe("a walk", () => {
    const modules = [
      "server/a.ts: server/b.ts, type server/c.ts, lazy server/d.ts",
      "server/b.ts: server/e.ts, server/a.ts",
      "server/c.ts",
      "server/d.ts",
      "server/e.ts",
    ];
    const walk = (starts) => measure(modules, { walks: { "a request": starts } })["files of a request"];

    test("follows imports of imports, neither types nor what is loaded lazily", () => {
      expect(walk(["server/a.ts"])).toEqual({ value: 3, where: [] });
    });

    test("that begins at a file that is gone has no length", () => {
      expect(walk(["server/a.ts", "server/gone.ts"])).toEqual({
        value: Number.NaN,
        where: ["no file server/gone.ts"],
      });
    });
  });
});

describe("what is judged", () => {
  const judge = (figure, limit) =>
    judgeStructure([{ name: "files", where: ["server/a.ts"], ...figure }], { files: { before: 9, limit } });

  test("at the limit is kept; beyond it is a fault with its places", () => {
    expect(judge({ value: 5 }, 5).faults).toEqual([]);
    expect(judge({ value: 6 }, 5).faults).toEqual(["files: 6, at most 5", "  server/a.ts"]);
  });

  test("where more is better, less is a fault", () => {
    expect(judge({ value: 5, least: true }, 5).faults).toEqual([]);
    expect(judge({ value: 4, least: true }, 5).faults).toHaveLength(2);
  });

  test("a figure without a limit is a fault", () => {
    expect(judgeStructure([{ name: "new", value: 1, where: [] }], {}).faults).toHaveLength(1);
  });

  test("the table shows figure, limit and what it was before", () => {
    expect(judge({ value: 5 }, 6).table).toMatch(/^files +5 +at most 6 +before: 9$/);
  });
});
