/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import { buildModuleLinks, buildStyleLinks, fillTemplate } from "./page-assets.ts";

describe("module links", () => {
  const MANIFEST = {
    "src/a.tsx": { file: "assets/a.js", imports: ["_shared.js"], css: ["assets/a.css"] },
    "src/b.ts": { file: "assets/b.js", imports: ["_shared.js"] },
    "src/a.css": { file: "assets/own.css" },
    "_shared.js": { file: "assets/shared.js", imports: ["src/b.ts"] },
  };

  test("chunks come with what they import, each once, and with their styles", () => {
    expect(buildModuleLinks(MANIFEST, ["src/a.tsx", "src/b.ts"]).split("\n")).toEqual([
      '<link rel="modulepreload" fetchpriority="low" href="/assets/a.js">',
      '<link rel="preload" as="style" crossorigin href="/assets/a.css">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/b.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/shared.js">',
    ]);
  });

  test("a page without lazy parts has no links, and one that names an unknown chunk is a fault of the build", () => {
    expect(buildModuleLinks(MANIFEST, [])).toBe("");
    expect(() => buildModuleLinks(MANIFEST, ["src/c.ts"])).toThrow("src/c.ts");
  });

  test("a page's own style sheets are waited for, and one that isn't built is a fault of the build", () => {
    expect(buildStyleLinks(MANIFEST, ["src/a.css"])).toBe('<link rel="stylesheet" href="/assets/own.css">');
    expect(buildStyleLinks(MANIFEST, [])).toBe("");
    expect(() => buildStyleLinks(MANIFEST, ["src/b.css"])).toThrow("src/b.css");
  });
});

describe("page assets", () => {
  test("slots are filled as they are, whatever a text holds", () => {
    const slots = { head: "$& $1 <!--body-->", body: "B" };
    expect(fillTemplate("<!--head-->|<!--body-->|<!--other-->", slots)).toBe(
      "$& $1 <!--body-->|B|<!--other-->",
    );
  });
});
