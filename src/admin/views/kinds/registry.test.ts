import { describe, expect, test } from "@jest/globals";
import { CONTROLS } from "#contract/content/models.ts";
import { buildField } from "../test-model.ts";
import { toCellValue } from "./cell.tsx";
import { collectKinds, KINDS, kindOf } from "./registry.ts";

describe("the kinds of fields", () => {
  test("are found in their folder, one for each control that writes", () => {
    expect([...Object.keys(KINDS), "read-only"].sort()).toEqual([...CONTROLS].sort());
  });

  test("without one of the contract's controls stop the console, and name it", () => {
    const { colour: _colour, ...others } = KINDS;
    expect(() => collectKinds({ "./a.tsx": others })).toThrow(/has the control colour$/);
  });

  test.each([
    ["control", { colour: KINDS.colour }, '"colour"'],
    ["type", { colour: { ...KINDS.colour, types: ["CharField"] } }, '"CharField"'],
  ])("of two files may not share a %s", (_what, kinds, name) => {
    const { colour: _colour, ...others } = KINDS;
    const files = { "./a.tsx": name === '"colour"' ? KINDS : others, "./b.tsx": kinds };
    expect(() => collectKinds(files)).toThrow(`./b.tsx has ${name}, which ./a.tsx has already`);
  });

  test("decide by their control how a field looks, whatever type others show in the same way", () => {
    const field = buildField({ type: "CharField", control: "colour" });
    expect(kindOf(field)).toBe(KINDS.colour);
    expect(toCellValue(field, "#1a5276", "en")).toEqual({ kind: "colour", colour: "#1a5276" });
  });

  test("are known by its type where a field is only read, and an unknown type shows as what it is", () => {
    const read = (type: string) => kindOf({ type, control: "read-only" });
    expect([read("DecimalField"), read("AnyOtherField")]).toEqual([KINDS.decimal, KINDS.text]);
    expect(toCellValue(buildField({ type: "AnyOtherField" }), { a: 1 }, "en")).toMatchObject({
      text: '{"a":1}',
    });
  });
});
