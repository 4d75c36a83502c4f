import { expect, test } from "@jest/globals";
import { findJsonFault } from "../../kinds/json.tsx";

test.each([
  ["", undefined],
  ['{"a": [1, 2]}', undefined],
  ['{"a": 1', "end"],
  ["[1, 2", "end"],
  ['{\n  "a": 1,\n  b: 2\n}', { line: 3, column: 3, near: "b: 2" }],
  ["{'a': 1}", { line: 1, column: 2, near: "'a': 1}" }],
] as const)("%j: %j", (text, fault) => {
  expect(findJsonFault(text)).toEqual(fault);
});
