import { describe, expect, test } from "@jest/globals";
import { openMemoryCounters } from "#server/base/counters.ts";
import { AppError } from "#server/base/errors.ts";
import { createContactLimits } from "./limits.ts";
import type { Proof } from "./service.ts";

function open() {
  const clock = { now: 0 };
  const limits = createContactLimits(openMemoryCounters(() => clock.now));
  const take = (kind: Proof["kind"], address: string | null) =>
    limits.take(kind, address).then(
      () => "taken",
      (error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      },
    );
  const fill = async (count: number, kind: Proof["kind"], address: string | null) => {
    for (let slot = 0; slot < count; slot += 1) expect(await take(kind, address)).toBe("taken");
  };
  return { clock, limits, take, fill };
}

test("the sixth message of an address within ten minutes is refused, with the time to wait", async () => {
  const { take, fill } = open();
  await fill(5, "work", "192.0.2.1");
  const refusal = await take("work", "192.0.2.1");
  expect(refusal).toMatchObject({ code: "too_many_messages", status: 429, vars: { minutes: 10 } });
  const { retryAfterS } = refusal as AppError; // matched above
  expect(retryAfterS).toBeGreaterThan(590);
  expect(retryAfterS).toBeLessThanOrEqual(600);
  expect(await take("work", "192.0.2.2")).toBe("taken");
});

test("an IPv6 household is one address", async () => {
  const { take, fill } = open();
  await fill(5, "work", "2001:db8:1:2::1");
  expect(await take("work", "2001:db8:1:2:ffff::9")).toMatchObject({ code: "too_many_messages" });
  expect(await take("work", "2001:db8:1:3::1")).toBe("taken");
});

describe("without JavaScript", () => {
  test("the third confirmed message within an hour is refused; with JavaScript there is room", async () => {
    const { take, fill } = open();
    await fill(2, "confirm", "192.0.2.1");
    expect(await take("confirm", "192.0.2.1")).toMatchObject({ vars: { minutes: 60 } });
    await fill(3, "work", "192.0.2.1");
    expect(await take("work", "192.0.2.1")).toMatchObject({ vars: { minutes: 10 } });
  });

  test("a message that the other limit refuses takes no place here", async () => {
    const { limits, take, fill } = open();
    await fill(3, "work", "192.0.2.1");
    const held = [await limits.take("work", "192.0.2.1"), await limits.take("work", "192.0.2.1")];
    expect(await take("confirm", "192.0.2.1")).toMatchObject({ vars: { minutes: 10 } });
    for (const giveBack of held) await giveBack();
    await fill(2, "confirm", "192.0.2.1");
  });
});

describe("without a proof", () => {
  const refusal = { code: "too_many_unproven_messages", status: 429 };
  const address = (number: number) => `198.51.100.${number}`;

  test("the second message of an address within ten minutes is refused; with a proof there is room", async () => {
    const { clock, take, fill } = open();
    await fill(1, "none", address(1));
    expect(await take("none", address(1))).toMatchObject({ ...refusal, retryAfterS: 600 });
    await fill(4, "work", address(1));
    expect(await take("work", address(1))).toMatchObject({ code: "too_many_messages" });
    clock.now += 10 * 60_000;
    await fill(1, "none", address(1));
  });

  test("the twenty-first within an hour is refused, whoever sends it", async () => {
    const { clock, take, fill } = open();
    for (let number = 0; number < 20; number += 1) await fill(1, "none", address(number));
    clock.now += 20 * 60_000;
    expect(await take("none", address(30))).toMatchObject({ ...refusal, vars: { minutes: 40 } });
    await fill(1, "work", address(30));
    clock.now += 40 * 60_000;
    await fill(1, "none", address(30));
  });

  test("a refused message takes no place in all", async () => {
    const { take, fill } = open();
    await fill(1, "none", address(1));
    for (let tries = 0; tries < 30; tries += 1) expect(await take("none", address(1))).toMatchObject(refusal);
    await fill(1, "none", address(2));
  });
});

test("what is given back can be taken again", async () => {
  const { limits, fill } = open();
  for (let round = 0; round < 20; round += 1) await (await limits.take("confirm", null))();
  await fill(2, "confirm", null);
});
