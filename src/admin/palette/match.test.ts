import { describe, expect, test } from "@jest/globals";
import { match } from "./match.ts";
import { type PaletteItem, rankItems } from "./palette-item.ts";

const marked = (typed: string, label: string) =>
  match(typed, label)?.ranges.map(([from, to]) => label.slice(from, to));

describe("what was typed is found", () => {
  test.each([
    ["isik", "Işık ve gölge", ["Işık"]],
    ["IŞIK", "ışık", ["ışık"]],
    ["izmir", "İzmir", ["İzmir"]],
    ["İZMİR", "izmir", ["izmir"]],
    ["kull", "Kullanıcılar", ["Kull"]],
    ["egitim", "Eğitim", ["Eğitim"]],
    ["gö", "Işık ve go\u0308lge", ["go\u0308"]],
    ["fi", "oﬃce", ["ﬃ"]],
    ["log audit", "Audit Log", ["Audit", "Log"]],
    ["e-posta", "Geri dönen e\u2011postalar", ["e\u2011posta"]],
    ["aud audit", "Audit Log", ["Audit"]],
    ["", "Audit Log", []],
  ])("%j in %j", (typed, label, ranges) => {
    expect(marked(typed, label)).toEqual(ranges);
  });

  test("not where a word is missing", () => {
    expect(match("audit users", "Audit Log")).toBeUndefined();
  });

  test("by its name in the other language, last", () => {
    expect(match("users", "Kullanıcılar", ["Users"])).toEqual({ fit: 3, ranges: [] });
  });
});

test("within a group beginnings come first, then words, then the rest; groups keep their order", () => {
  const item = (label: string, group: PaletteItem["group"] = "models"): PaletteItem => ({
    id: label,
    group,
    label,
    icon: "models",
    target: { to: "/" },
  });
  const items = [
    item("Zone", "screens"),
    item("Anemone"),
    item("Zero one"),
    item("One"),
    item("Nothing"),
    item("From the server", "records"),
  ];
  expect(rankItems("one", items).map(({ label }) => label)).toEqual([
    "Zone",
    "One",
    "Zero one",
    "Anemone",
    "From the server",
  ]);
  expect(
    rankItems(" ", [{ ...item("x"), isOnlySearched: true }, item("y")]).map(({ label }) => label),
  ).toEqual(["y"]);
});
