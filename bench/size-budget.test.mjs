import { expect, test } from "@jest/globals";
import { findBarredModules, findFirstLoad } from "./size-budget.mjs";

const MANIFEST = {
  "index.html": {
    file: "assets/site.js",
    isEntry: true,
    imports: ["_shared.js"],
    dynamicImports: ["src/site/cv/cv-page.tsx", "src/account/sign-in/login-page.tsx"],
    css: ["assets/site.css"],
  },
  "_shared.js": { file: "assets/shared.js", imports: ["index.html"], css: ["assets/site.css"] },
  "src/site/cv/cv-page.tsx": { file: "assets/cv-page.js", imports: ["_shared.js"], css: ["assets/cv.css"] },
  "src/account/sign-in/login-page.tsx": { file: "assets/login-page.js" },
};

test("a first load is the entry, its static imports and the lazy parts of that page", () => {
  expect(findFirstLoad(MANIFEST, ["index.html"], /^src\/site\/cv\//)).toEqual({
    scripts: ["assets/site.js", "assets/shared.js", "assets/cv-page.js"],
    styles: ["assets/site.css", "assets/cv.css"],
  });
});

test("a barred module is named with its chunk", () => {
  const modules = { "assets/site.js": ["src/entry-client.tsx", "node_modules/antd/es/button/index.js"] };
  expect(findBarredModules(["assets/site.js"], modules, /node_modules\/antd\//)).toEqual([
    "assets/site.js: node_modules/antd/es/button/index.js",
  ]);
});

test("a chunk without a module list is a fault", () => {
  expect(() => findBarredModules(["assets/site.js"], {}, /antd/)).toThrow(
    "modules.json does not list assets/site.js",
  );
});
