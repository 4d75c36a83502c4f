import { expect, test } from "@jest/globals";
import { ConfigError, parseConfig } from "./config.ts";

test("an empty environment gives the documented defaults", () => {
  expect(parseConfig({}, "/srv/foyer")).toMatchObject({
    port: 3000,
    host: "127.0.0.1",
    dataDir: "/srv/foyer/data",
    logLevel: "info",
    trustProxy: false,
    publicUrl: undefined,
    databaseUrl: undefined,
  });
});

test("an empty value counts as unset", () => {
  expect(parseConfig({ PORT: "", DATABASE_URL: "", PUBLIC_URL: "" })).toMatchObject({
    port: 3000,
    databaseUrl: undefined,
  });
});

test.each([
  ["PORT", "http"],
  ["PORT", "70000"],
  ["PUBLIC_URL", "example.org"],
  ["PUBLIC_URL", "https://example.org/site"],
  ["PUBLIC_URL", "https://example.org/?a=1"],
  ["DATABASE_URL", "mysql://localhost/x"],
  ["LOG_LEVEL", "loud"],
  ["TRUST_PROXY", "yes please"],
  ["OWNER_EMAIL", "nobody"],
])("a wrong %s (%s) is refused by name", (name, value) => {
  expect(() => parseConfig({ [name]: value })).toThrow(ConfigError);
  expect(() => parseConfig({ [name]: value })).toThrow(name);
});

test("the password in a wrong DATABASE_URL is not repeated", () => {
  expect(() => parseConfig({ DATABASE_URL: "mysql://me:hunter2@localhost/x" })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining("hunter2") }),
  );
});

test("all wrong values are named at once", () => {
  expect(() => parseConfig({ PORT: "x", LOG_LEVEL: "y" })).toThrow(/PORT[\s\S]*LOG_LEVEL/);
});

test("TRUST_PROXY=1 trusts the nearest hop only", () => {
  const { trustProxy } = parseConfig({ TRUST_PROXY: "1" });
  if (typeof trustProxy !== "function") throw new Error("not a function of hops");
  expect([trustProxy("10.0.0.1", 0), trustProxy("10.0.0.1", 1)]).toEqual([true, false]);
});
