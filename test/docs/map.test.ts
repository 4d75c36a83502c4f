import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";

const ROOT = join(import.meta.dirname, "../..");
const MAP = readFileSync(join(ROOT, "docs/map.md"), "utf8");
const [ROOMS = "", WALKS = ""] = MAP.split("\n## Four walks\n");

const ROOTS = ["src", "providers", "resources", "contract", "locales"];
const ROOTS_OF_NODE = ["server", "test", "bin", "bench", "tools"];
const MAX_STOPS = 20;

function listFolders(folder: string): string[] {
  const entries = readdirSync(join(ROOT, folder), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${folder}/${name}`);
}

/** Folders of the first two levels. A room without any is one itself. */
function listRooms(root: string): string[] {
  const first = listFolders(root);
  return first.length === 0 ? [root] : first.flatMap((folder) => [folder, ...listFolders(folder)]);
}

const named = [...ROOMS.matchAll(/^ *- `([^`]+)`: \S/gm)].map(([, path = ""]) => path);

test("every folder of the first two levels has one line, and no line is without its folder", () => {
  expect([...named].sort()).toEqual([...ROOTS, ...ROOTS_OF_NODE].flatMap(listRooms).sort());
});

test("every path in it is there", () => {
  const roots = [...ROOTS, ...ROOTS_OF_NODE].join("|");
  const paths = [...MAP.matchAll(new RegExp(`\`((?:${roots})/[^\`]*)\``, "g"))].map(([, path = ""]) => path);
  expect(paths.length).toBeGreaterThan(named.length);
  expect(paths.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

const walks = WALKS.split("\n### ")
  .slice(1)
  .map((text) => {
    const [name = "", ...lines] = text.split("\n");
    return { name, lines: lines.filter((line) => /^\d/.test(line)) };
  });

test("there are four walks", () => {
  expect(walks.map(({ name }) => name)).toEqual([
    "A list request",
    "An edit, up to another browser's list",
    "A registration, up to its mail",
    "/cv, up to cached HTML",
  ]);
});

describe.each(walks)("$name", ({ lines }) => {
  test("has its stops in order, at most twenty", () => {
    expect(lines.map((line) => Number.parseInt(line, 10))).toEqual(lines.map((_, index) => index + 1));
    expect(lines.length).toBeGreaterThan(1);
    expect(lines.length).toBeLessThanOrEqual(MAX_STOPS);
  });

  test.each(lines)("%s", (line) => {
    const [, file = "", name = ""] = /^\d+\. `([^`]+)` · `(\w+)`: \S/.exec(line) ?? [];
    const text = readFileSync(join(ROOT, file), "utf8");
    expect(text).toMatch(new RegExp(String.raw`\b(function|const|class) ${name}\b`));
  });
});
