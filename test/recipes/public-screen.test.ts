import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type * as PagesModule from "#server/http/pages/page-definitions.ts";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

type Pages = typeof PagesModule;

const RECIPE = readRecipe("A new public screen");
const PAGE = "src/site/colophon/colophon-page.tsx";

/** Rows, and how their tables begin: the second one has every screen of the first, or does not compile. */
const ROWS = [
  ["contract/site/pages.ts", "export const SCREENS = {\n"],
  ["src/public-screens.tsx", "const SCREENS: { [S in ScreenName]: Row<S> } = {\n"],
] as const;
const TEXTS = ["en", "tr"].flatMap((lang) => [`locales/${lang}/head.json`, `locales/${lang}/site.json`]);

/** The page as React draws it, by the copy's own code. */
const DRAW = `
  import { createServer } from "vite";
  import { SITE_INFO } from "#test/site-info.ts";
  const vite = await createServer({ appType: "custom", logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
  const { render } = await vite.ssrLoadModule("/src/entry-server.tsx");
  const page = { path: "/colophon", origin: "https://site.test", today: "2026-11-25", site: SITE_INFO, data: { screen: "colophon" } };
  const { head, body } = render({ ...page, prefix: "/tr", lang: "tr" });
  console.log(JSON.stringify({ head, body }));
  process.exit();`;

let copy: ScratchCopy;
beforeAll(() => {
  const folders = ["server", "contract", "locales", "providers", "src"];
  copy = makeScratchCopy([...folders, "test/site-info.ts", "index.html", "vite.config.ts", "tsconfig.json"]);
});
afterAll(() => copy.remove());

function getBlock(file: string): string {
  const text = RECIPE.get(file);
  if (text === undefined) throw new Error(`the recipe says nothing of ${file}`);
  return text;
}

/** The types of the public app: empty, or the first lines that complain. */
async function findTypeFaults(): Promise<string> {
  const config = { extends: "./tsconfig.json", include: ["src/env.d.ts", "src/public-screens.tsx"] };
  copy.write("tsconfig.recipe.json", JSON.stringify(config));
  return copy.run(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.recipe.json"]).then(
    () => "",
    (fault: { stdout: string }) => fault.stdout,
  );
}

test("a screen that follows the recipe compiles, is routed and drawn, and nothing but the recipe's files is touched", async () => {
  for (const [file, begin] of ROWS) copy.insert(file, begin, getBlock(file));
  copy.write(PAGE, getBlock(PAGE));
  for (const file of TEXTS) {
    const texts = { ...JSON.parse(copy.read(file)), ...JSON.parse(`{${getBlock(file)}}`) };
    copy.write(file, JSON.stringify(texts));
  }
  expect(copy.listTouched()).toEqual([...RECIPE.keys()].sort());
  expect(await findTypeFaults()).toBe("");

  const { toPageDefinitions } = await copy.load<Pages>("server/http/pages/page-definitions.ts");
  const none = { models: [], load: async () => null };
  const pages = toPageDefinitions({ cv: none, contact: none, dev: none, register: none, text: none });
  expect(pages.map(({ screen, path }) => `${screen} ${path}`)).toContain("colophon /colophon");

  const { head, body } = JSON.parse(await copy.runModule(DRAW));
  expect(head).toContain("Künye");
  expect(head).toContain("Bu site nelerle yapıldı.");
  expect(body).toContain("Newsreader ve Source Sans ile dizildi.");
});
