import { expect, test } from "@jest/globals";
import { verify } from "@node-rs/argon2";
import { AppError } from "#server/base/errors.ts";
import { createWorkQueue } from "#server/base/limits.ts";
import { createPasswords, hashPassword } from "./hashing.ts";

test("a hash says Argon2id with OWASP's parameters, and fits its password only", async () => {
  const passwords = createPasswords();
  const hash = await hashPassword("Correct-horse-1");
  expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(await passwords.verify(hash, "Correct-horse-1")).toBe(true);
  expect(await passwords.verify(hash, "correct-horse-1")).toBe(false);
});

test("letters typed composed or in parts are the same password", async () => {
  const passwords = createPasswords();
  const hash = await hashPassword("Şifre-ğüç-1".normalize("NFC"));
  expect(await passwords.verify(hash, "Şifre-ğüç-1".normalize("NFD"))).toBe(true);
});

test("every sign counts: none is cut off, blanks at both ends and capitals stay", async () => {
  const passwords = createPasswords();
  const long = "ab".repeat(64);
  const hash = await hashPassword(` ${long} Z`);
  for (const other of [` ${long} Y`, ` ${long}`, `${long} Z`, ` ${long} Z `, ` ${long} z`])
    expect([other, await passwords.verify(hash, other)]).toEqual([other, false]);
  expect(await passwords.verify(hash, ` ${long} Z`)).toBe(true);
});

test("comparing with nothing is the work of comparing, and is false", async () => {
  const works: { kept: string; password: unknown }[] = [];
  const passwords = createPasswords((kept, password) => {
    // Two hashes differ in their salt and their last part; the other parts say how much work they are.
    works.push({ kept: String(kept).split("$").slice(0, 4).join("$"), password });
    return verify(kept, password);
  });
  const hash = await hashPassword("Correct-horse-1");
  expect(await passwords.verify(hash, "Wrong-horse-1")).toBe(false);
  expect(await passwords.verifyAgainstNothing("Wrong-horse-1")).toBe(false);
  expect(works).toHaveLength(2);
  expect(works[1]).toEqual(works[0]);
  expect(works[0]?.kept).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1$/);
});

test("the queue runs a few at a time, in order, and refuses when too many wait", async () => {
  const queue = createWorkQueue({ slots: 2, maxWaiting: 3 });
  const order: number[] = [];
  let running = 0;
  let peak = 0;
  const work = (place: number) => async () => {
    running++;
    peak = Math.max(peak, running);
    await new Promise((resolve) => setTimeout(resolve, 2));
    order.push(place);
    running--;
    if (place === 1) throw new Error("one that fails frees its place");
  };
  const results = await Promise.allSettled([0, 1, 2, 3, 4, 5].map((place) => queue.inSlot(work(place))));
  expect(peak).toBe(2);
  expect(order).toEqual([0, 1, 2, 3, 4]);
  expect(results.map((result) => result.status)).toEqual([
    "fulfilled",
    "rejected",
    "fulfilled",
    "fulfilled",
    "fulfilled",
    "rejected",
  ]);
  const refused = results[5];
  expect(refused?.status === "rejected" && refused.reason).toBeInstanceOf(AppError);
  await queue.inSlot(work(6));
  expect(order.at(-1)).toBe(6);
});
