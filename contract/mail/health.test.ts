import { expect, test } from "@jest/globals";
import { judgeCeiling, judgeComplaints, judgeFloor, toInterval } from "./health.ts";

test("the interval is Wilson's", () => {
  // Figures of Wilson's formula, worked out by hand for 1 of 10 and 0 of 100.
  expect(toInterval(1, 10)).toEqual({ low: expect.closeTo(1.79, 2), high: expect.closeTo(40.42, 2) });
  expect(toInterval(0, 100)).toEqual({ low: expect.closeTo(0, 9), high: expect.closeTo(3.7, 2) });
  expect(toInterval(100, 100)?.high).toBeCloseTo(100, 9);
  expect(toInterval(0, 0)).toBeNull();
});

test("below a hundred mails nothing is poor", () => {
  expect(judgeCeiling(99, 99, 5)).toBe("unknown");
  expect(judgeFloor(0, 99, 95)).toBe("unknown");
  expect(judgeComplaints(9, 99)).toBe("unknown");
});

test("above them the end of the interval that speaks for us decides", () => {
  expect(judgeCeiling(6, 100, 5)).toBe("good");
  expect(judgeCeiling(60, 1000, 5)).toBe("good");
  expect(judgeCeiling(80, 1000, 5)).toBe("poor");
  expect(judgeFloor(94, 100, 95)).toBe("good");
  expect(judgeFloor(900, 1000, 95)).toBe("poor");
});

test("two complaints are no alarm, three of them are", () => {
  expect(judgeComplaints(2, 150)).toBe("good");
  expect(judgeComplaints(3, 150)).toBe("poor");
});
