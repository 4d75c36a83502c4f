import { describe, expect, test } from "@jest/globals";
import { buildField } from "../test-model.ts";
import { createRefusals, placeErrors } from "./field-errors.ts";

describe("field errors", () => {
  const FIELDS = [
    buildField({ name: "label", control: "localized-text" }),
    buildField({ name: "links", control: "json" }),
    buildField({ name: "created_at", control: "datetime", read_only: true }),
  ];

  function place(...fields: string[]) {
    return placeErrors(
      fields.map((field) => ({ field, code: "x", message: `about ${field}` })),
      FIELDS,
    );
  }

  test("an error of one language lands under that language's input", () => {
    expect(place("label.tr").inputs).toEqual([{ name: ["label", "tr"], errors: ["about label.tr"] }]);
  });

  test("an error of the whole localized field lands under its first input", () => {
    expect(place("label").inputs).toEqual([{ name: ["label", "en"], errors: ["about label"] }]);
  });

  test("an error deep inside a value lands under the field's one input", () => {
    expect(place("links.0.url").inputs).toEqual([{ name: ["links"], errors: ["about links.0.url"] }]);
  });

  test("two errors of one input stand together", () => {
    expect(place("label.en", "label.en").inputs).toEqual([
      { name: ["label", "en"], errors: ["about label.en", "about label.en"] },
    ]);
  });

  test("errors of unknown and read-only fields are not lost", () => {
    expect(place("nothing", "created_at")).toEqual({
      inputs: [],
      others: ["nothing: about nothing", "created_at: about created_at"],
    });
  });
});

describe("refusals", () => {
  test("what the server said stands for as long as the refused value does, and not once it is sent again", () => {
    const refusals = createRefusals();
    const sent = new Map([["label.tr", "Büyük"]]);
    refusals.note([{ name: ["label", "tr"], errors: ["Too grand.", "Too long."] }], (path) =>
      sent.get(path.join(".")),
    );
    expect(refusals.find(["label", "tr"], "Büyük")).toBe("Too grand. Too long.");
    expect(refusals.find(["label", "tr"], "Küçük")).toBeUndefined();
    expect(refusals.find(["label", "en"], "Büyük")).toBeUndefined();
    refusals.clear();
    expect(refusals.find(["label", "tr"], "Büyük")).toBeUndefined();
  });
});
