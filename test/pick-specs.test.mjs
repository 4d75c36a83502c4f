import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import { COVERS, listSpecs, pickSpecs } from "./e2e/pick-specs.mjs";

const ROOT = join(import.meta.dirname, "..");
const ALL = listSpecs();

test("every place of the table is there, and names specs that are there", () => {
  expect(Object.keys(COVERS).filter((place) => !existsSync(join(ROOT, place)))).toEqual([]);
  expect([...new Set(Object.values(COVERS).flat())].filter((spec) => !ALL.includes(spec))).toEqual([]);
});

test("every spec is named by some place", () => {
  expect(ALL.filter((spec) => !Object.values(COVERS).flat().includes(spec))).toEqual([]);
});

describe("a change picks", () => {
  test.each([
    ["the specs of its folder", ["src/site/not-found/not-found-page.tsx"], ["cv", "frame", "pages"]],
    ["those of the narrowest folder", ["src/site/cv/carousel/carousel.tsx"], ["cv", "pages"]],
    [
      "those of all its files",
      ["server/socket/a.ts", "server/contact/b.ts"],
      ["contact", "sockets", "voice"],
    ],
    ["a changed spec itself", ["test/e2e/cv.spec.ts"], ["cv"]],
    ["the trial of clicks, for its own files", ["test/e2e/clicks/press.ts"], ["clicks"]],
    ["nothing for tests and prose", ["src/site/cv/a.test.tsx", "docs/x.md", "server/mail/README.md"], []],
    ["everything for what all pages share", ["src/ui/toast.tsx"], ALL],
    ["everything for texts", ["locales/en/site.json"], ALL],
    ["everything for helpers of the specs", ["test/e2e/site.ts"], ALL],
    ["everything for what nobody thought of", ["new-folder/file.ts"], ALL],
    ["nothing for no change", [], []],
  ])("%s", (_what, files, specs) => {
    expect(pickSpecs(files)).toEqual(specs);
  });
});
