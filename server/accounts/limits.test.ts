import { expect, test } from "@jest/globals";
import { toAddressBlock } from "#server/http/address-block.ts";
import { AppError } from "#server/http/errors.ts";
import { createLoginLimits, type LoginLimits } from "./limits.ts";

const wrong = () => Promise.reject(new AppError("invalid_credentials"));
const right = () => Promise.resolve("in");

async function attempt(limits: LoginLimits, username: string, ipAddress: string, run = wrong) {
  return limits.attempt({ username, ipAddress }, run as () => Promise<string>).catch((error: unknown) => {
    if (error instanceof AppError) return error.code;
    throw error;
  });
}

test("an address has 20 wrong log-ins, however many accounts it tries", async () => {
  const limits = createLoginLimits();
  const results = [];
  for (let count = 0; count < 25; count++) results.push(await attempt(limits, `user${count}`, "192.0.2.1"));
  expect(results.filter((code) => code === "invalid_credentials")).toHaveLength(20);
  expect(results.slice(20)).toEqual(Array(5).fill("too_many_logins"));
  expect(await attempt(limits, "user1", "192.0.2.2", right as never)).toBe("in");
});

test("an account has five from one address, in any case of its letters", async () => {
  const limits = createLoginLimits();
  for (const username of ["ada", "ADA", "Ada", "aDa", "adA"]) await attempt(limits, username, "192.0.2.1");
  expect(await attempt(limits, "ada", "192.0.2.1", right as never)).toBe("too_many_logins");
  expect(await attempt(limits, "ada", "192.0.2.2", right as never)).toBe("in");
  expect(await attempt(limits, "bob", "192.0.2.1", right as never)).toBe("in");
});

test("right log-ins and faults of the server don't count", async () => {
  const limits = createLoginLimits();
  for (let count = 0; count < 30; count++) await attempt(limits, "ada", "192.0.2.1", right as never);
  const broken = () => Promise.reject(new AppError("unavailable"));
  for (let count = 0; count < 30; count++) await attempt(limits, "ada", "192.0.2.1", broken);
  expect(await attempt(limits, "ada", "192.0.2.1")).toBe("invalid_credentials");
});

test("a household's IPv6 addresses count as one", async () => {
  const limits = createLoginLimits();
  for (let count = 0; count < 5; count++) await attempt(limits, "ada", `2001:db8:1:2::${count}`);
  expect(await attempt(limits, "ada", "2001:db8:1:2:ffff::1")).toBe("too_many_logins");
  expect(await attempt(limits, "ada", "2001:db8:1:3::1")).toBe("invalid_credentials");
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
