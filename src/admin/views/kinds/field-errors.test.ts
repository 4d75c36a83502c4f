import { expect, test } from "@jest/globals";
import { buildField } from "../test-model.ts";
import { placeErrors } from "./field-errors.ts";

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
