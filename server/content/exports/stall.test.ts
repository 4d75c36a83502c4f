import { PassThrough } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { watchStall } from "./stall.ts";

const PERIOD_MS = 40;

/** Watches a reader who takes some bytes of a stream now and then; gives how often they were called slow. */
async function watch(lies: number, takes: number, periods: number): Promise<number> {
  const stream = new PassThrough({ highWaterMark: 1_000_000 });
  let given = 0;
  const fill = () => {
    const missing = lies - stream.readableLength;
    if (missing > 0) stream.write(Buffer.alloc(missing));
    given += Math.max(missing, 0);
  };
  let calls = 0;
  fill();
  const stop = watchStall(
    stream,
    () => given,
    () => void calls++,
    PERIOD_MS,
  );
  for (let i = 0; i < periods * 8; i++) {
    await sleep(PERIOD_MS / 8);
    stream.read(takes);
    fill();
  }
  stop();
  return calls;
}

test("a reader who takes a byte now and then has stalled", async () => {
  expect(await watch(200_000, 1, 4)).toBeGreaterThan(0);
});

test("a reader who takes all that comes, however little that is, has not stalled", async () => {
  expect(await watch(10, 10, 4)).toBe(0);
});

test("a reader who takes enough of a lot has not stalled", async () => {
  expect(await watch(200_000, 50_000, 4)).toBe(0);
});
