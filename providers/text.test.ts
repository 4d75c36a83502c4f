import { expect, test } from "@jest/globals";
import { createText } from "./text.ts";

const resources = {
  site: {
    title: "Curriculum vitae",
    photo: { of: "Photo of {{name}}", count_one: "{{count}} photo", count_other: "{{count}} photos" },
  },
};

test("a key finds its text in its file, through groups", () => {
  const t = createText("en", resources);
  expect(t("site:title")).toBe("Curriculum vitae");
});

test("a slot takes its value as it is, and stays visible without one", () => {
  const t = createText("en", resources);
  expect(t("site:photo.of", { name: "$& <b>" })).toBe("Photo of $& <b>");
  expect(t("site:photo.of")).toBe("Photo of {{name}}");
});

test("a count chooses the plural form by the rules of the language", () => {
  const t = createText("en", resources);
  expect(t("site:photo.count", { count: 1 })).toBe("1 photo");
  expect(t("site:photo.count", { count: 3 })).toBe("3 photos");
});

test("a language without the form that its rules ask for takes the general one", () => {
  const t = createText("tr", { site: { room: { count_other: "{{count}} oda" } } });
  expect(t("site:room.count", { count: 1 })).toBe("1 oda");
});

test("an unknown key comes back as it is", () => {
  const t = createText("en", resources);
  expect(t("site:photo.missing")).toBe("site:photo.missing");
  expect(t("nowhere:at.all")).toBe("nowhere:at.all");
});
