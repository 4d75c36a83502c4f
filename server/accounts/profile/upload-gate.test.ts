import { expect, test } from "@jest/globals";
import { createUploadGate } from "./deps.ts";

const REFUSED = { code: "too_many_requests", retryAfterS: 5 };

/** Work that goes on until the test ends it. */
function openWork() {
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  return { run: () => ended, end };
}

test("a person's second upload is refused before it is read, and let in once the first is over", async () => {
  const gate = createUploadGate();
  const work = openWork();
  const first = gate.pass(1, work.run);
  let isRead = false;
  const read = async () => {
    isRead = true;
  };
  await expect(gate.pass(1, read)).rejects.toMatchObject(REFUSED);
  expect(isRead).toBe(false);
  work.end();
  await first;
  await gate.pass(1, read);
  expect(isRead).toBe(true);
});

test("six people upload at once, the seventh waits; one that fails leaves its place", async () => {
  const gate = createUploadGate();
  const work = openWork();
  const six = [1, 2, 3, 4, 5, 6].map((userId) => gate.pass(userId, work.run));
  await expect(gate.pass(7, work.run)).rejects.toMatchObject(REFUSED);
  work.end();
  await Promise.all(six);
  const fail = async () => {
    throw new Error("broken");
  };
  for (let count = 0; count < 10; count++) await expect(gate.pass(7, fail)).rejects.toThrow("broken");
});
