import { describe, expect, test } from "@jest/globals";
import type { FieldInfo } from "#contract/content/models.ts";
import { buildField } from "../test-model.ts";
import { toCellValue } from "./cell.tsx";

function cell(type: FieldInfo["type"], value: unknown, lang: "en" | "tr" = "en") {
  return toCellValue(buildField({ type }), value, lang);
}

describe("a cell", () => {
  test.each([null, undefined, ""])("of %j is empty", (value) => {
    expect(cell("CharField", value)).toEqual({ kind: "empty" });
  });

  test("of a boolean says yes or no, and false is not empty", () => {
    expect(cell("BooleanField", true)).toEqual({ kind: "yes" });
    expect(cell("BooleanField", false)).toEqual({ kind: "no" });
  });

  test("cuts after 50 characters and keeps the whole text beside it", () => {
    const fifty = "x".repeat(50);
    expect(cell("CharField", fifty)).toEqual({ kind: "text", text: fifty });
    expect(cell("CharField", `${fifty}y`)).toEqual({ kind: "text", text: `${fifty}…`, full: `${fifty}y` });
  });

  test("does not cut an emoji in two", () => {
    expect(cell("CharField", "🎓".repeat(51))).toMatchObject({ text: `${"🎓".repeat(50)}…` });
  });

  test("of an object is its JSON, cut too", () => {
    expect(cell("JSONField", { a: [1] })).toEqual({ kind: "text", text: '{"a":[1]}' });
    expect(cell("JSONField", { a: "y".repeat(60) })).toMatchObject({ text: expect.stringMatching(/…$/) });
  });

  test("of a localized text is the admin language's side", () => {
    expect(cell("LocalizedCharField", { en: "Light", tr: "Işık" }, "tr")).toEqual({
      kind: "text",
      text: "Işık",
    });
  });

  test.each([null, ""])("of a localized text whose own side is %j is the other one, with its tag", (own) => {
    expect(cell("LocalizedCharField", { en: own, tr: "Işık" })).toEqual({
      kind: "text",
      text: "Işık",
      lang: "tr",
    });
  });

  test("of a localized list joins its items", () => {
    expect(cell("LocalizedListField", { en: ["a", "b"], tr: null })).toEqual({ kind: "text", text: "a, b" });
  });

  test("of a relation is what people call the related row", () => {
    expect(cell("ForeignKey", { id: 3, repr: "ACME" })).toEqual({
      kind: "text",
      text: "ACME",
      related: 3,
    });
    expect(cell("ForeignKey", 3)).toMatchObject({ text: "3", isNumber: false });
  });

  test("of related rows joins what people call them", () => {
    expect(
      cell("ManyToManyField", [
        { id: 3, repr: "ACME" },
        { id: 5, repr: "Bolt" },
      ]),
    ).toEqual({ kind: "text", text: "ACME, Bolt" });
    expect(cell("ManyToManyField", [])).toEqual({ kind: "empty" });
  });

  test("of choices says their names, and what is none any more as it is", () => {
    const choices = [{ value: "red", label: "Kırmızı" }];
    const read = (type: string, value: unknown) => toCellValue(buildField({ type, choices }), value, "tr");
    expect(read("ChoiceField", "red")).toEqual({ kind: "text", text: "Kırmızı" });
    expect(read("ChoiceField", "violet")).toEqual({ kind: "text", text: "violet" });
    expect(read("MultipleChoiceField", ["red", "violet"])).toEqual({ kind: "text", text: "Kırmızı, violet" });
  });

  test.each([
    ["1234.50", "en", "1234.50"],
    ["1234567890123456789.10", "tr", "1.234.567.890.123.456.789,10"],
    ["-0.05", "tr", "-0,05"],
  ] as const)("of the decimal %s in %s keeps every digit", (value, lang, text) => {
    expect(cell("DecimalField", value, lang)).toEqual({ kind: "text", text, isNumber: true });
  });

  test("of a colour is a swatch, and of anything else its text", () => {
    expect(cell("ColorField", "#1a5276")).toEqual({ kind: "colour", colour: "#1a5276" });
    expect(cell("ColorField", "red;x:y")).toEqual({ kind: "text", text: "red;x:y" });
  });

  test("of a file is a picture or a named link", () => {
    expect(cell("FileField", "/files/ab.png")).toEqual({
      kind: "image",
      address: "/files/ab.png",
      name: "ab.png",
    });
    expect(cell("FileField", "/files/ab.pdf")).toEqual({
      kind: "file",
      address: "/files/ab.pdf",
      name: "ab.pdf",
    });
  });

  test("of a stored file never shows the hash that it is stored under", () => {
    const address = `/files/${"0a".repeat(16)}.pdf`;
    expect(cell("FileField", address)).toEqual({ kind: "file", address, name: "" });
  });

  test("of a number keeps years whole and groups the large", () => {
    expect(cell("IntegerField", 2024)).toEqual({ kind: "text", text: "2024", isNumber: true });
    expect(cell("IntegerField", 1234567, "tr")).toMatchObject({ text: "1.234.567" });
  });
});
