/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import { buildModuleLinks, fillTemplate, listStyleFiles } from "./page-assets.ts";

describe("module links", () => {
  const MANIFEST = {
    "src/a.tsx": { file: "assets/a.js", imports: ["_shared.js"], css: ["assets/a.css"] },
    "src/b.ts": { file: "assets/b.js", imports: ["_shared.js"] },
    "_shared.js": {
      file: "assets/shared.js",
      imports: ["src/b.ts", "index.html"],
      css: ["assets/shared.css"],
    },
    "index.html": { file: "assets/site.js", css: ["assets/site.css"] },
  };

  test("chunks come with what they import, each once", () => {
    expect(buildModuleLinks(MANIFEST, ["src/a.tsx", "src/b.ts"]).split("\n")).toEqual([
      '<link rel="modulepreload" fetchpriority="low" href="/assets/a.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/b.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/shared.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/site.js">',
    ]);
  });

  test("a page without lazy parts has no links, and one that names an unknown chunk is a fault of the build", () => {
    expect(buildModuleLinks(MANIFEST, [])).toBe("");
    expect(() => buildModuleLinks(MANIFEST, ["src/c.ts"])).toThrow("src/c.ts");
  });

  test("a screen has the style sheets of all pages first, then its own and those of what it imports", () => {
    expect(listStyleFiles(MANIFEST, "src/a.tsx")).toEqual([
      "assets/site.css",
      "assets/a.css",
      "assets/shared.css",
    ]);
    expect(listStyleFiles(MANIFEST, "index.html")).toEqual(["assets/site.css"]);
    expect(() => listStyleFiles(MANIFEST, "src/c.tsx")).toThrow("src/c.tsx");
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
