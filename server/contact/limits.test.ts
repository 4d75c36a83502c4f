import { describe, expect, test } from "@jest/globals";
import { AppError } from "#server/http/errors.ts";
import type { ChallengeKind } from "./challenge.ts";
import { createContactLimits } from "./limits.ts";

function open() {
  const limits = createContactLimits(Date.now);
  const take = (kind: ChallengeKind, address: string | null) =>
    limits.take(kind, address).then(
      () => "taken",
      (error: unknown) => {
        if (error instanceof AppError) return error;
        throw error;
      },
    );
  const fill = async (count: number, kind: ChallengeKind, address: string | null) => {
    for (let place = 0; place < count; place += 1) expect(await take(kind, address)).toBe("taken");
  };
  return { limits, take, fill };
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

test("what is given back can be taken again", async () => {
  const { limits, fill } = open();
  for (let round = 0; round < 20; round += 1) await (await limits.take("confirm", null))();
  await fill(2, "confirm", null);
});
