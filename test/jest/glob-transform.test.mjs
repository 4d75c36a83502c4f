import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { withImports } from "./glob-transform.mjs";

const FOLDER = mkdtempSync(join(tmpdir(), "foyer-globs-"));
const FILE = join(FOLDER, "registry.ts");
mkdirSync(join(FOLDER, "kinds"));
for (const name of ["b.tsx", "a.tsx", "a.test.tsx", "words.json"])
  writeFileSync(join(FOLDER, "kinds", name), "");

describe("a glob", () => {
  test("becomes an import of each file, in order, tests left out", () => {
    const source = `const found = import.meta.glob<Record<string, A<B>>>(["./kinds/*.tsx", "!./kinds/*.test.tsx"], {
      eager: true,
      import: "kind",
    });`;
    expect(withImports(source, FILE)).toBe(
      'import { kind as glob_0 } from "./kinds/a.tsx"; import { kind as glob_1 } from "./kinds/b.tsx"; ' +
        'const found = ({ "./kinds/a.tsx": glob_0, "./kinds/b.tsx": glob_1 });',
    );
  });

  test("of JSON says so in the import", () => {
    const source = 'import.meta.glob("./kinds/*.json", { eager: true, import: "default" })';
    expect(withImports(source, FILE)).toContain('from "./kinds/words.json" with { type: "json" };');
  });

  test("that isn't eager is refused, as nothing here would draw it", () => {
    expect(() => withImports('import.meta.glob("./kinds/*.tsx", {})', FILE)).toThrow("eager globs");
  });

  test("is looked for alone: other text stays", () => {
    expect(withImports("export const a = 1;", FILE)).toBe("export const a = 1;");
  });
});
