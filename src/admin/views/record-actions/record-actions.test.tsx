import { expect, test } from "@jest/globals";
import type { BatchAction } from "#resources/record-source.ts";
import { EVERYTHING, NOTHING } from "../state/selection.ts";
import { toBatchTask } from "./use-record-actions.ts";

const ACTION: BatchAction = {
  key: "process",
  label: "Mark processed",
  icon: "check",
  failed: "Failed to process bounce(s)",
  path: "/api/mail/bounces/batch_process/",
  idsName: "bounce_ids",
  max: 500,
};
const choose = (count: number) =>
  ({ kind: "ids", ids: Array.from({ length: count }, (_, at) => at + 1) }) as const;

test("chosen rows travel under the documented name, as many as are allowed", () => {
  expect(toBatchTask(ACTION, choose(2), [{ id: 1, repr: "ada@example.org" }])).toMatchObject({
    path: "/api/mail/bounces/batch_process/",
    body: { bounce_ids: [1, 2] },
    names: new Map([[1, "ada@example.org"]]),
  });
  expect(toBatchTask(ACTION, choose(500), [])).toMatchObject({ ids: { length: 500 } });
  expect(toBatchTask(ACTION, choose(501), [])).toBe("too many");
});

test("nothing, and a query, are no chosen rows", () => {
  expect(toBatchTask(ACTION, NOTHING, [])).toBeUndefined();
  expect(toBatchTask(ACTION, EVERYTHING, [])).toBeUndefined();
});
