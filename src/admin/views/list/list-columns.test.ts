import { expect, test } from "@jest/globals";
import { toRecordSource } from "#resources/record-source.ts";
import { buildField, buildModel } from "../test-model.ts";
import { pickDefaultColumns } from "./columns/columns.ts";

const fields = ["subject", "created_at", "updated_at"].map((name) =>
  buildField({ name, verbose_name: name }),
);

function pick(model: Parameters<typeof buildModel>[0]): string[] {
  return pickDefaultColumns(toRecordSource(buildModel({ fields, ...model }))).map(({ name }) => name);
}

test("a list shows the moment that it is sorted by, where the model names it", () => {
  const list_columns = ["subject", "created_at", "updated_at"];
  expect(pick({ list_columns, default_sort: [{ field: "created_at", direction: "desc" }] })).toEqual([
    "subject",
    "created_at",
  ]);
});

test("moments that every model has are no columns otherwise", () => {
  expect(pick({ list_columns: ["subject", "created_at"], default_sort: [] })).toEqual(["subject"]);
  expect(pick({ list_columns: [], default_sort: [{ field: "created_at", direction: "desc" }] })).toEqual([
    "subject",
  ]);
});
