import { describe, expect, test } from "@jest/globals";
import { buildField, buildModel } from "../test-model.ts";
import { planRestore, toDraftFields } from "./drafts.ts";
import { findDifferences, listUnits, mergeInputs } from "./merge-inputs.ts";

const MODEL = buildModel({
  fields: [
    buildField({ name: "title", control: "localized-text", type: "LocalizedCharField" }),
    buildField({ name: "issuer" }),
    buildField({ name: "made_at", read_only: true }),
  ],
});
const UNITS = listUnits(MODEL);
const BASE = { title: { en: "Light", tr: "Işık" }, issuer: "ACME" };

describe("two versions of one record", () => {
  test("each language of a field is an input of its own: both people's work stays", () => {
    const three = {
      base: BASE,
      mine: { ...BASE, title: { en: "Bright", tr: "Işık" } },
      theirs: { ...BASE, title: { en: "Light", tr: "Parlak" }, issuer: "Bolt" },
    };
    const { conflicts, others } = findDifferences(UNITS, three);
    expect(conflicts).toEqual([]);
    expect(others.map(({ unit }) => unit.key)).toEqual(["title.tr", "issuer"]);
    expect(mergeInputs(UNITS, three, {})).toEqual({ title: { en: "Bright", tr: "Parlak" }, issuer: "Bolt" });
  });

  test.each([
    ["mine", "Mine"],
    ["theirs", "Bolt"],
  ] as const)("an input that both changed is as chosen: %s", (choice, issuer) => {
    const three = { base: BASE, mine: { ...BASE, issuer: "Mine" }, theirs: { ...BASE, issuer: "Bolt" } };
    expect(findDifferences(UNITS, three).conflicts.map(({ unit }) => unit.key)).toEqual(["issuer"]);
    expect(mergeInputs(UNITS, three, { issuer: choice })).toEqual({ ...BASE, issuer });
  });

  test("the same change by both is no conflict", () => {
    const same = { ...BASE, issuer: "Bolt" };
    expect(findDifferences(UNITS, { base: BASE, mine: same, theirs: same })).toEqual({
      conflicts: [],
      others: [],
    });
  });
});

describe("a draft", () => {
  test("holds what was changed, without secrets", () => {
    const source = buildModel({
      fields: [
        buildField({ name: "label" }),
        buildField({ name: "issuer" }),
        buildField({ name: "pin", is_secret: true }),
        buildField({ name: "new_password" }),
      ],
    });
    const base = { label: "a", issuer: "b", pin: "", new_password: "" };
    const typed = { label: "x", issuer: "b", pin: "1234", new_password: "hunter2" };
    expect(toDraftFields(source, base, typed)).toEqual({ label: { control: "text", base: "a", typed: "x" } });
  });

  test("over a record that has changed since names the fields of both, and keeps what only the other one changed", () => {
    const typed = { title: { en: "Bright", tr: "Işık" }, issuer: "Mine" };
    const draft = { savedAt: 1, etag: null, fields: toDraftFields(MODEL, BASE, typed) };
    const current = { title: { en: "Light", tr: "Parlak" }, issuer: "Bolt" };
    const plan = planRestore(MODEL, current, draft);
    expect(plan?.conflicts.map(({ key }) => key)).toEqual(["issuer"]);
    expect(plan?.inputs).toEqual({ title: { en: "Bright", tr: "Parlak" }, issuer: "Mine" });
  });

  test("that changes nothing any more is not offered, nor one of a field that is another kind now", () => {
    const fields = toDraftFields(MODEL, BASE, { ...BASE, issuer: "Bolt" });
    const draft = { savedAt: 1, etag: null, fields };
    expect(planRestore(MODEL, { ...BASE, issuer: "Bolt" }, draft)).toBeUndefined();
    const changed = buildModel({ fields: [buildField({ name: "issuer", control: "number" })] });
    expect(planRestore(changed, { issuer: null }, draft)).toBeUndefined();
  });
});
