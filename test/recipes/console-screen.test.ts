import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

const RECIPE = readRecipe("A new screen of the console");
const RESOURCES = "resources/screens.ts";
const ROUTER = "src/admin/router.tsx";
/** The sidebar's order, and the screen that the router's own route loads, in Turkish. */
const DRAW = `
  import { createElement } from "react";
  import { renderToStaticMarkup } from "react-dom/server";
  import { createServer } from "vite";
  const vite = await createServer({ appType: "custom", logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
  const load = (file) => vite.ssrLoadModule(file);
  const { RESOURCES } = await load("/resources/all.ts");
  const { routes } = await load("/src/admin/router.tsx");
  const find = (list) => list.flatMap((route) => [route, ...find(route.children ?? [])]);
  const { Component } = await find(routes).find(({ path }) => path === "about").lazy();
  const { createI18n } = await load("/providers/i18n.ts");
  const { I18nextProvider } = await import("react-i18next");
  const { MemoryRouter } = await import("react-router");
  const page = createElement(I18nextProvider, { i18n: createI18n("tr") }, createElement(MemoryRouter, null, createElement(Component)));
  console.log(JSON.stringify({ names: RESOURCES.map(({ name }) => name), page: renderToStaticMarkup(page) }));
  process.exit();`;

let copy: ScratchCopy;
beforeAll(async () => {
  const folders = ["bin", "contract", "locales", "providers", "resources", "src"];
  copy = makeScratchCopy([...folders, "vite.config.ts", "tsconfig.json"]);
  const list = "export const PLAIN_SCREENS = [\n";
  for (const [file, text] of RECIPE) {
    if (file === RESOURCES)
      copy.write(file, copy.read(file).replace(list, `${text}${list}  aboutResource,\n`));
    else if (file === ROUTER) copy.insert(file, '          { path: "health", ...health },\n', text);
    else copy.write(file, text);
  }
  await copy.run(["bin/texts.mjs"]);
});
afterAll(() => copy.remove());

test("the recipe touches five files by hand and one by a command", () => {
  const byHand = [...RECIPE.keys()];
  expect(byHand).toHaveLength(5);
  expect(copy.listTouched()).toEqual([...byHand, "locales/console-texts.ts"].sort());
});

test("the screen compiles with its texts, is in its place of the sidebar, and is drawn at its address", async () => {
  const config = { extends: "./tsconfig.json", include: ["src/env.d.ts", ROUTER] };
  copy.write("tsconfig.recipe.json", JSON.stringify(config));
  await copy.run(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.recipe.json"]);
  const { names, page } = JSON.parse(await copy.runModule(DRAW));
  expect(names.indexOf("about")).toBe(names.indexOf("settings") - 1);
  expect(page).toContain("Hakkında");
  expect(page).toContain("Bu konsol nelerden oluşuyor.");
});
