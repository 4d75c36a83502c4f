import { PassThrough } from "node:stream";
import { expect, test } from "@jest/globals";
import { watchStall } from "./stream-file.ts";

/** A reader takes something so often between two checks. */
const TAKES = 8;

/** Watches a reader who takes some bytes of a stream now and then; gives how often they were called slow. */
function watch(lies: number, takes: number, periods: number): number {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  let given = 0;
  const fill = () => {
    const missing = lies - stream.readableLength;
    if (missing > 0) stream.write(Buffer.alloc(missing));
    given += Math.max(missing, 0);
  };
  let calls = 0;
  let check = () => {};
  fill();
  watchStall(
    stream,
    () => given,
    () => void calls++,
    (run) => {
      check = run;
      return () => {};
    },
  );
  for (let period = 0; period < periods; period++) {
    for (let take = 0; take < TAKES; take++) {
      stream.read(takes);
      fill();
    }
    check();
  }
  return calls;
}

test("a reader who takes a byte now and then has stalled", () => {
  expect(watch(200_000, 1, 4)).toBe(3);
});

test("a reader who takes all that comes, however little that is, has not stalled", () => {
  expect(watch(10, 10, 4)).toBe(0);
});

test("a reader who takes enough of a lot has not stalled", () => {
  expect(watch(200_000, 50_000, 4)).toBe(0);
});
