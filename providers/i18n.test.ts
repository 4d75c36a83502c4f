import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { createI18n, mergeAreas } from "./i18n.ts";

test("each area's texts are the console's, in both languages", () => {
  expect(createI18n("en").t("audit.fields.kind")).not.toBe("audit.fields.kind");
  expect(createI18n("tr").t("actions.save")).toBe("Kaydet");
});

test("the areas that are found are those whose types are listed", () => {
  const listed = readFileSync("locales/console-texts.ts", "utf8").matchAll(/import\("\.\/(en\/.+\.json)"\)/g);
  const keys = [...listed].flatMap(([, file]) =>
    Object.keys(JSON.parse(readFileSync(`locales/${file}`, "utf8"))),
  );
  expect(Object.keys(createI18n("en").getResourceBundle("en", "admin")).sort()).toEqual(keys.sort());
});

test("two areas that begin with the same key stop the console, and are named", () => {
  const files = { "../locales/en/a.json": { users: {} }, "../locales/tr/b.json": { users: {} } };
  expect(mergeAreas(files, "tr")).toEqual({ users: {} });
  expect(() => mergeAreas({ ...files, "../locales/en/c.json": { users: {} } }, "en")).toThrow(
    '../locales/en/c.json begins with "users"',
  );
});

test("a key that no area has doesn't compile, and shows as itself", () => {
  // @ts-expect-error: the types know every key.
  expect(createI18n("en").t("nowhere.atAll")).toBe("nowhere.atAll");
});
