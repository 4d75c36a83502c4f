import { mock } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { toAddressBlock } from "#server/base/actor.ts";
import { openMemoryCounters } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import { createLoginLimits, type Guesser, type LoginLimits } from "./limits.ts";

const WINDOW_MS = 15 * 60 * 1000;
const wrong = async (): Promise<string> => {
  throw new AppError("invalid_credentials");
};
const right = async () => "in";

function open(pauseMs = 0) {
  const clock = { now: 0 };
  return {
    clock,
    limits: createLoginLimits(
      openMemoryCounters(() => clock.now),
      pauseMs,
    ),
  };
}

const stranger = (username: string, ipAddress: string): Guesser => ({
  kind: "stranger",
  username,
  ipAddress,
});

/** What came of it: "in", or the code of the refusal. */
async function attempt(limits: LoginLimits, guesser: Guesser, run = wrong, refusals: string[] = []) {
  const onFirstRefusal = async () => void refusals.push(guesser.kind);
  return limits
    .attempt(guesser, { wrong: "invalid_credentials", onFirstRefusal }, run)
    .catch((error: unknown) => {
      if (error instanceof AppError) return error.code;
      throw error;
    });
}

test("an address has 20 wrong log-ins, however many accounts it tries", async () => {
  const { limits } = open();
  const results = [];
  for (let count = 0; count < 25; count++)
    results.push(await attempt(limits, stranger(`user${count}`, "192.0.2.1")));
  expect(results.slice(0, 20)).toEqual(Array(20).fill("invalid_credentials"));
  expect(results.slice(20)).toEqual(Array(5).fill("too_many_logins"));
});

test("an account has five from anywhere, in any case of its letters, and others go on", async () => {
  const { limits } = open();
  for (const [index, username] of ["ada", "ADA", "Ada", "aDa", "adA"].entries())
    await attempt(limits, stranger(username, `192.0.2.${index}`));
  expect(await attempt(limits, stranger("ada", "192.0.2.99"), right)).toBe("too_many_logins");
  expect(await attempt(limits, stranger("bob", "192.0.2.1"), right)).toBe("in");
});

test("a known device goes on while strangers have used the account's five up, and has five of its own", async () => {
  const { limits } = open();
  for (let count = 0; count < 6; count++) await attempt(limits, stranger("ada", "192.0.2.1"));
  const device: Guesser = { kind: "device", userId: 1, nonce: "n" };
  expect(await attempt(limits, device, right)).toBe("in");
  const results = [];
  for (let count = 0; count < 6; count++) results.push(await attempt(limits, device));
  expect(results).toEqual([...Array(5).fill("invalid_credentials"), "too_many_logins"]);
  expect(await attempt(limits, { kind: "device", userId: 1, nonce: "m" }, right)).toBe("in");
  expect(await attempt(limits, { kind: "session", userId: 1, sessionId: "n" }, right)).toBe("in");
});

test("wrong ones of a known device leave the account's and the address's count alone", async () => {
  const { limits } = open();
  for (let count = 0; count < 5; count++) await attempt(limits, { kind: "device", userId: 1, nonce: "n" });
  expect(await attempt(limits, stranger("ada", "192.0.2.1"), right)).toBe("in");
});

test.each([
  ["known devices", (number: number): Guesser => ({ kind: "device", userId: 1, nonce: `n${number}` })],
  ["sessions", (number: number): Guesser => ({ kind: "session", userId: 1, sessionId: `s${number}` })],
])("all %s of a person together have 20 wrong ones, compared one at a time", async (_what, toGuesser) => {
  const { limits } = open();
  let running = 0;
  let most = 0;
  const guess = async (): Promise<string> => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return wrong();
  };
  const results = await Promise.all(
    Array.from({ length: 60 }, (_, number) => attempt(limits, toGuesser(number), guess)),
  );
  expect(results.filter((code) => code === "invalid_credentials")).toHaveLength(20);
  expect(results.filter((code) => code === "too_many_logins")).toHaveLength(40);
  expect(most).toBe(1);
  expect(await attempt(limits, { ...toGuesser(0), userId: 2 } as Guesser, right)).toBe("in");
  expect(await attempt(limits, stranger("ada", "192.0.2.1"), right)).toBe("in");
});

test("fifteen minutes after the first wrong one there is room again, and the wait says when", async () => {
  const { limits, clock } = open();
  for (let count = 0; count < 5; count++) {
    await attempt(limits, stranger("ada", "192.0.2.1"));
    clock.now += 1000;
  }
  const options = { wrong: "invalid_credentials", onFirstRefusal: async () => undefined } as const;
  await expect(limits.attempt(stranger("ada", "192.0.2.1"), options, right)).rejects.toMatchObject({
    retryAfterS: WINDOW_MS / 1000 - 5,
  });
  clock.now = WINDOW_MS - 1;
  expect(await attempt(limits, stranger("ada", "192.0.2.1"), right)).toBe("too_many_logins");
  clock.now = WINDOW_MS;
  expect(await attempt(limits, stranger("ada", "192.0.2.1"), right)).toBe("in");
});

test("right log-ins and faults of the server don't count", async () => {
  const { limits } = open();
  for (let count = 0; count < 30; count++) await attempt(limits, stranger("ada", "192.0.2.1"), right);
  const broken = async (): Promise<string> => {
    throw new AppError("unavailable");
  };
  for (let count = 0; count < 30; count++) await attempt(limits, stranger("ada", "192.0.2.1"), broken);
  expect(await attempt(limits, stranger("ada", "192.0.2.1"))).toBe("invalid_credentials");
});

test("forty guesses sent at once are compared five times, and the refusal is reported once", async () => {
  const { limits } = open();
  let compared = 0;
  const refusals: string[] = [];
  const guess = async (): Promise<string> => {
    compared++;
    return wrong();
  };
  await Promise.all(
    Array.from({ length: 40 }, () => attempt(limits, stranger("ada", "192.0.2.1"), guess, refusals)),
  );
  expect(compared).toBe(5);
  expect(refusals).toEqual(["stranger"]);
});

test("thirty right log-ins sent at once from one address all pass, one after the other", async () => {
  const { limits } = open();
  let running = 0;
  let most = 0;
  const slow = async () => {
    most = Math.max(most, ++running);
    await new Promise((resolve) => setImmediate(resolve));
    running--;
    return "in";
  };
  const results = await Promise.all(
    Array.from({ length: 30 }, () => attempt(limits, stranger("ada", "192.0.2.1"), slow)),
  );
  expect(results).toEqual(Array(30).fill("in"));
  expect(most).toBe(1);
});

test("after a wrong one the address's next is compared a while later; a few wait, the rest is refused at once", async () => {
  const pauseMs = 40;
  const { limits } = open(pauseMs);
  let compared = 0;
  const guess = async (): Promise<string> => {
    compared += 1;
    return wrong();
  };
  const refusals: string[] = [];
  mock.timers.enable({ apis: ["setTimeout"] });
  try {
    const all = Array.from({ length: 10 }, (_, index) =>
      attempt(limits, stranger(`user${index}`, "192.0.2.1"), guess, refusals),
    );
    for (let count = 1; count <= 4; count++) {
      await nextTurn();
      expect(compared).toBe(count);
      mock.timers.tick(pauseMs - 1);
      await nextTurn();
      expect(compared).toBe(count);
      mock.timers.tick(1);
    }
    const results = await Promise.all(all);
    expect(results.filter((code) => code === "invalid_credentials")).toHaveLength(4);
    expect(results.filter((code) => code === "too_many_logins")).toHaveLength(6);
  } finally {
    mock.timers.reset();
  }
  expect(compared).toBe(4);
  expect(refusals).toEqual(["stranger"]);
  expect(await attempt(limits, stranger("bob", "192.0.2.2"), right)).toBe("in");
});

test("a household's IPv6 addresses count as one", async () => {
  const { limits } = open();
  for (let count = 0; count < 20; count++)
    await attempt(limits, stranger(`user${count}`, `2001:db8:1:2::${count}`));
  expect(await attempt(limits, stranger("ada", "2001:db8:1:2:ffff::1"))).toBe("too_many_logins");
  expect(await attempt(limits, stranger("ada", "2001:db8:1:3::1"))).toBe("invalid_credentials");
});

test.each([
  ["192.0.2.1", "192.0.2.1"],
  ["::ffff:192.0.2.1", "192.0.2.1"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1%eth0", "fe80:0:0:0::/64"],
  ["1::", "1:0:0:0::/64"],
  [null, "unknown"],
])("%s is in the block %s", (address, block) => {
  expect(toAddressBlock(address)).toBe(block);
});
