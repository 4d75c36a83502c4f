import { expect, test } from "@jest/globals";
import { createDrawer } from "./drawer.ts";
import { DrawingError } from "./drawing-process.ts";
import type { DrawJob } from "./job.ts";

const JOB: DrawJob = { kind: "thumbnail", type: "photo", width: 192 };
const noInput = async () => undefined;

function openDrawer(draw: () => Promise<Uint8Array>) {
  return createDrawer({ drawing: { draw }, log: { warn: () => undefined }, now: () => new Date(0) });
}

test("one picture is drawn after the other", async () => {
  let running = 0;
  let most = 0;
  const drawer = openDrawer(async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return new Uint8Array(1);
  });
  await Promise.all(Array.from({ length: 20 }, (_, index) => drawer.draw(`${index}`, JOB, noInput)));
  expect([running, most]).toEqual([0, 1]);
});

test("when too many wait, the next is asked to come back, and the others are drawn", async () => {
  let finish = () => {};
  const gate = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const drawer = openDrawer(() => gate.then(() => new Uint8Array(1)));
  const all = Array.from({ length: 202 }, (_, index) => drawer.draw(`${index}`, JOB, noInput));
  await expect(all.at(-1)).rejects.toMatchObject({ code: "unavailable", retryAfterS: 5 });
  finish();
  const settled = await Promise.allSettled(all);
  const drawn = settled.filter(({ status }) => status === "fulfilled");
  expect(drawn).toHaveLength(200);
  expect(await drawer.draw("later", JOB, noInput)).toHaveLength(1);
});

test("what couldn't be drawn is remembered, what failed for another reason is not", async () => {
  let error: Error = new Error("the disk is gone");
  let calls = 0;
  const drawer = openDrawer(() => {
    calls++;
    return Promise.reject(error);
  });
  await expect(drawer.draw("a", JOB, noInput)).rejects.toThrow("the disk is gone");
  error = new DrawingError("broken");
  expect(await drawer.draw("a", JOB, noInput)).toBeUndefined();
  expect(await drawer.draw("a", JOB, noInput)).toBeUndefined();
  expect(calls).toBe(2);
});
