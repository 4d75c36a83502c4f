import { describe, expect, test } from "@jest/globals";
import {
  countSelected,
  EVERYTHING,
  isSelected,
  NOTHING,
  parseHandOver,
  setSelected,
  toPageState,
  toRange,
} from "./selection.ts";

describe("a selection", () => {
  test("holds ids, each once, as they were chosen", () => {
    const some = setSelected(setSelected(NOTHING, [3, 1], true), [1, 2], true);
    expect(some).toEqual({ kind: "ids", ids: [3, 1, 2] });
    expect(setSelected(some, [3, 9], false)).toEqual({ kind: "ids", ids: [1, 2] });
    expect(countSelected(some, 1_000_000)).toBe(3);
  });

  test("of everything is the query, and what is unticked afterwards its exclusions", () => {
    const most = setSelected(EVERYTHING, [4, 5], false);
    expect(most).toEqual({ kind: "query", excluded: [4, 5] });
    expect(countSelected(most, 1_000_000)).toBe(999_998);
    expect([4, 6].map((id) => isSelected(most, id))).toEqual([false, true]);
    expect(setSelected(most, [4, 5], true)).toEqual(EVERYTHING);
  });

  test("says of a page whether none, some or all of its rows are in it", () => {
    expect(toPageState(NOTHING, [1, 2])).toBe("none");
    expect(toPageState(setSelected(NOTHING, [1], true), [1, 2])).toBe("some");
    expect(toPageState(EVERYTHING, [1, 2])).toBe("all");
  });

  test("takes a range in either direction, and one row where the other end is not on the page", () => {
    expect(toRange([5, 3, 8, 1], 8, 5)).toEqual([5, 3, 8]);
    expect(toRange([5, 3, 8, 1], 3, 1)).toEqual([3, 8, 1]);
    expect(toRange([5, 3, 8, 1], 99, 8)).toEqual([8]);
    expect(toRange([5, 3, 8, 1], undefined, 8)).toEqual([8]);
  });

  test.each([null, undefined, {}, { selection: { kind: "ids", ids: ["1"] }, operation: "delete" }])(
    "is not read from a history state like %j",
    (state) => expect(parseHandOver(state)).toBeUndefined(),
  );

  test("arrives at the bulk page as it was handed over", () => {
    const handed = { selection: setSelected(EVERYTHING, [4], false), operation: "update" } as const;
    expect(parseHandOver(JSON.parse(JSON.stringify(handed)))).toEqual(handed);
  });
});
