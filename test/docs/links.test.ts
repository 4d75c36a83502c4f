import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@jest/globals";

const ROOT = join(import.meta.dirname, "../..");
const DOCS = readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" }).map(
  (file) => `docs/${file}`,
);
const PAGES = ["README.md", ...DOCS.filter((file) => file.endsWith(".md"))];

/** What a page leads to or shows inside the repository, as paths from its root; a heading within the page is left out. */
function listLinks(page: string): string[] {
  const text = readFileSync(join(ROOT, page), "utf8");
  const targets = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)].map(([, target = ""]) => target);
  return targets.filter((target) => !/^[a-z]+:/.test(target)).map((target) => join(dirname(page), target));
}

test.each(PAGES)("what %s links to is there", (page) => {
  expect(listLinks(page).filter((target) => !existsSync(join(ROOT, target)))).toEqual([]);
});

test("docs hold no picture that no page shows", () => {
  const shown = PAGES.flatMap(listLinks);
  const pictures = DOCS.filter((file) => /\.(png|jpe?g|webp|gif|svg)$/.test(file));
  expect(pictures.length).toBeGreaterThan(0);
  expect(pictures.filter((picture) => !shown.includes(picture))).toEqual([]);
});
