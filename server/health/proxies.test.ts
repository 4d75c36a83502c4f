import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { TrustProxy } from "#server/base/proxies.ts";
import { createTestApp, type TestApp } from "#test/app.ts";
import { createProxyWatch } from "./proxies.ts";

const hops =
  (count: number): TrustProxy =>
  (_address, hop) =>
    hop < count;
const VISITOR = "203.0.113.7";

interface Arriving {
  peer?: string;
  /** `X-Forwarded-For` */
  chain?: string;
  /** `X-Forwarded-Proto` */
  scheme?: string;
  host?: string;
  count?: number;
}

function open(trustProxy: TrustProxy, publicUrl?: string) {
  const clock = { now: new Date("2026-11-20T12:00:00Z") };
  const watch = createProxyWatch({ trustProxy, publicUrl, now: () => clock.now });
  return {
    clock,
    check: watch.check,
    arrive({ peer = "127.0.0.1", chain, scheme, host = "site.test", count = 20 }: Arriving) {
      const headers = { host, "x-forwarded-for": chain, "x-forwarded-proto": scheme };
      for (let index = 0; index < count; index++) watch.observe({ peer, headers });
    },
  };
}

const HTTPS = "https://site.test";

describe("is silent", () => {
  const FRESH: readonly [string, Arriving[]][] = [
    ["nothing", []],
    ["the owner on this machine", [{}]],
    ["visitors from the Internet and from home", [{ peer: VISITOR }, { peer: "192.168.1.5" }]],
    ["a stranger who forges a chain", [{ peer: VISITOR, chain: "6.6.6.6" }]],
    ["nine requests through a proxy", [{ chain: VISITOR, count: 9 }]],
  ];
  test.each(FRESH)("without a proxy in the settings, when there arrives %s", (_what, all) => {
    const site = open(false);
    for (const each of all) site.arrive(each);
    expect(site.check()).toBeUndefined();
  });

  test("of a proxy that is set, until enough arrived", () => {
    const site = open(hops(1));
    site.arrive({ chain: VISITOR, count: 9 });
    expect(site.check()).toBeUndefined();
    site.arrive({ chain: VISITOR, count: 1 });
    expect(site.check()).toEqual({ status: "healthy" });
  });
});

describe("finds well", () => {
  const GOOD: readonly [string, TrustProxy, Arriving[]][] = [
    ["one proxy", hops(1), [{ chain: VISITOR, scheme: "https" }]],
    ["one proxy by its address", "127.0.0.1", [{ chain: VISITOR, scheme: "https" }]],
    ["two proxies", hops(2), [{ chain: `${VISITOR}, 10.0.0.2`, scheme: "https" }]],
    ["a visitor who forges a long chain", hops(1), [{ chain: `6.6.6.6, ${VISITOR}`, scheme: "https" }]],
    [
      "probes from this machine beside visitors",
      hops(1),
      [{ chain: VISITOR, scheme: "https" }, { host: "127.0.0.1:3000" }],
    ],
    [
      "a few short chains from inside",
      hops(2),
      [
        { chain: `${VISITOR}, 10.0.0.2`, scheme: "https", count: 50 },
        { chain: "10.0.0.9", scheme: "https", count: 12 },
      ],
    ],
  ];
  test.each(GOOD)("%s", (_what, trustProxy, all) => {
    const site = open(trustProxy, HTTPS);
    for (const each of all) site.arrive(each);
    expect(site.check()).toEqual({ status: "healthy" });
  });
});

describe("warns", () => {
  const WRONG: readonly [string, TrustProxy, Arriving[], string, object?][] = [
    ["everybody from one proxy", false, [{ chain: VISITOR }], "proxy_untrusted", { address: "127.0.0.1" }],
    ["a proxy that isn't in the list", "10.0.0.1", [{ chain: VISITOR }], "proxy_untrusted"],
    ["no proxies counted", hops(0), [{ peer: "172.17.0.1", chain: VISITOR }], "proxy_untrusted"],
    ["a container's network", false, [{ peer: "::ffff:172.17.0.1", chain: VISITOR }], "proxy_untrusted"],
    ["all trusted", true, [], "proxy_all"],
    ["two trusted, one there", hops(2), [{ chain: VISITOR }], "proxy_fewer", { trusted: 2, found: 1 }],
    [
      "two trusted, one there, and a forger",
      hops(2),
      [{ chain: VISITOR }, { chain: `6.6.6.6, ${VISITOR}`, count: 12 }],
      "proxy_fewer",
      { trusted: 2, found: 1 },
    ],
    ["past the proxy", hops(1), [{ peer: VISITOR }], "proxy_bypassed", { trusted: 1 }],
    [
      "past the proxy, at home",
      hops(1),
      [{ peer: "192.168.1.5", host: "192.168.1.9:3000" }],
      "proxy_bypassed",
    ],
    ["a proxy that says nothing", hops(1), [{}], "proxy_silent", { address: "127.0.0.1" }],
    ["no scheme", hops(1), [{ chain: VISITOR }], "proxy_no_scheme"],
    ["visitors over http", hops(1), [{ chain: VISITOR, scheme: "http" }], "proxy_plain"],
  ];
  test.each(WRONG)("of %s", (_what, trustProxy, all, reason, vars = {}) => {
    const site = open(trustProxy, HTTPS);
    for (const each of all) site.arrive(each);
    expect(site.check()).toMatchObject({
      status: "warning",
      reason,
      ...(Object.keys(vars).length > 0 && { vars }),
    });
  });
});

test("a forger alone is never reason to trust more", () => {
  const site = open(hops(1), HTTPS);
  site.arrive({ chain: "6.6.6.6, 7.7.7.7, 8.8.8.8", scheme: "https" });
  expect(site.check()).toEqual({ status: "healthy" });
});

test("a mended proxy is found well an hour later", () => {
  const site = open(hops(1), HTTPS);
  site.arrive({ chain: VISITOR });
  expect(site.check()).toMatchObject({ reason: "proxy_no_scheme" });
  site.clock.now = new Date(site.clock.now.getTime() + 60 * 60_000);
  site.arrive({ chain: VISITOR, scheme: "https" });
  expect(site.check()).toEqual({ status: "healthy" });
});

test("connections from many addresses are not everybody from one", () => {
  const site = open(false);
  for (let index = 0; index < 100; index++)
    site.arrive({ peer: `10.0.0.${index}`, chain: VISITOR, count: 1 });
  expect(site.check()).toBeUndefined();
});

describe("the site", () => {
  let site: TestApp;
  beforeAll(async () => {
    site = await createTestApp({ trustProxy: hops(2), publicUrl: null });
  });
  afterAll(() => site.close());

  test("says on the health page what to set, and counts no probe", async () => {
    const staff = await site.signInAs(10);
    const visit = (url: string) => site.app.inject({ url, headers: { "x-forwarded-for": VISITOR } });
    for (let index = 0; index < 12; index++) await visit("/api/health/live");
    const read = () =>
      site.app.inject({ url: "/api/health/", headers: { authorization: staff.authorization } });
    expect((await read()).json().services).not.toHaveProperty("proxy");
    for (let index = 0; index < 12; index++) await visit("/robots.txt");
    expect((await read()).json().services.proxy).toEqual({
      status: "warning",
      message: expect.stringContaining("Set TRUST_PROXY=1."),
    });
  });

  test("never believes X-Forwarded-Host, from a trusted proxy either", async () => {
    const headers = { host: "site.test", "x-forwarded-host": "evil.test", "x-forwarded-proto": "https" };
    const { body } = await site.app.inject({ url: "/en/cv", headers });
    expect(body).toContain("https://site.test");
    expect(body).not.toContain("evil.test");
    expect((await site.app.inject({ url: "/sitemap.xml", headers })).body).not.toContain("evil.test");
  });
});
