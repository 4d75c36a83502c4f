import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

const RECIPE = readRecipe("A new kind of field");
const CONTRACT = "contract/content/models.ts";
const KIND = "server/models/kinds/rating.ts";
const CONSOLE_KIND = "src/admin/views/kinds/controls/rating.tsx";

/** What a process of the copy makes of written values. */
const CHECK = `
  import { KINDS } from "#server/models/kinds.ts";
  const { rating } = KINDS;
  const schema = rating.valueSchema({ range: null });
  console.log(JSON.stringify([3, 6, "3"].map((value) => schema.safeParse(value).success)));`;

/** A field of the kind in every place of the console that draws by kinds, by the copy's own code. */
const DRAW = `
  import { createElement } from "react";
  import { renderToStaticMarkup } from "react-dom/server";
  import { createServer } from "vite";
  const vite = await createServer({ appType: "custom", logLevel: "error", server: { middlewareMode: true, hmr: false, ws: false } });
  const { CellBody } = await vite.ssrLoadModule("/src/admin/views/kinds/cell.tsx");
  const { kindOf, toBody, toInputs } = await vite.ssrLoadModule("/src/admin/views/kinds/registry.ts");
  const { toCellClass } = await vite.ssrLoadModule("/src/admin/views/list/columns/columns.ts");
  const { buildField, buildModel } = await vite.ssrLoadModule("/src/admin/views/test-model.ts");
  const field = buildField({ name: "stars", verbose_name: "Stars", type: "RatingField", control: "rating" });
  const model = buildModel({ fields: [field] });
  const onlyRead = { ...field, control: "read-only", read_only: true };
  const cell = (of) => renderToStaticMarkup(createElement(CellBody, { field: of, value: 3, t: String, lang: "en" }));
  const { Form } = await import("antd");
  const control = createElement(Form, { initialValues: { stars: 3 } }, createElement(kindOf(field).Control, { field, model }));
  console.log(JSON.stringify({
    cells: [cell(field), cell(onlyRead)],
    cellClass: toCellClass(field),
    filter: kindOf(field).toFilterText("4", "en"),
    control: renderToStaticMarkup(control),
    inputs: toInputs(model, { id: 1, repr: "One", stars: 3 }),
    body: toBody(model, { stars: 0 }, ["stars"]),
  }));
  process.exit();`;

let copy: ScratchCopy;
beforeAll(() => {
  const folders = ["server", "contract", "locales", "providers", "resources", "src"];
  copy = makeScratchCopy([...folders, "vite.config.ts", "tsconfig.json"]);
  for (const [file, text] of RECIPE) {
    if (file === CONTRACT) copy.insert(file, "export const CONTROLS = [\n", text);
    else copy.write(file, text);
  }
});
afterAll(() => copy.remove());

test("the recipe touches three files, and its place in the tests would be the fourth", () => {
  expect(copy.listTouched()).toEqual([CONTRACT, KIND, CONSOLE_KIND]);
});

test("the kind compiles, and the server checks what is written", async () => {
  const config = { extends: "./tsconfig.json", include: ["src/env.d.ts", CONSOLE_KIND, KIND] };
  copy.write("tsconfig.recipe.json", JSON.stringify(config));
  await copy.run(["node_modules/typescript/bin/tsc", "--noEmit", "-p", "tsconfig.recipe.json"]);
  expect(JSON.parse(await copy.runModule(CHECK))).toEqual([true, false, false]);
});

test("lists, read-only values, filters and forms show it", async () => {
  const drawn = JSON.parse(await copy.runModule(DRAW));
  expect(drawn).toMatchObject({
    cells: ["<span>★★★☆☆</span>", "<span>★★★☆☆</span>"],
    cellClass: "fixed-cell",
    filter: "★★★★☆",
    inputs: { stars: 3 },
    body: { stars: null },
  });
  expect(drawn.control).toContain("ant-rate");
});
