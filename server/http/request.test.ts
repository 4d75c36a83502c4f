import { expect, test } from "@jest/globals";
import { isOwnOrigin, toOrigin } from "./request.ts";

const ask = (host: string, publicUrl?: string) => toOrigin({ host, protocol: "http" }, publicUrl);

test.each(["foyer.test", "foyer.test:8080", "127.0.0.1:3000", "[::1]:3000", "my_host"])(
  "a request to %s is one to that origin",
  (host) => {
    expect(ask(host)).toBe(`http://${host}`);
  },
);

test.each([
  "",
  'a"><script>',
  "user@foyer.test",
  "foyer.test/path",
  "256.256.256.256",
  "foyer.test:99999",
  "[::::]",
])("%j, which is no host, is in no address of a page", (host) => {
  expect(ask(host)).toBe("http://localhost");
});

test.each(["javascript", "ftp", "", "a".repeat(7000)])(
  "a proxy that passes %j on as the scheme makes http",
  (protocol) => {
    expect(toOrigin({ host: "foyer.test", protocol: protocol as "http" }, undefined)).toBe(
      "http://foyer.test",
    );
  },
);

test("a proxy that says https makes https", () => {
  expect(toOrigin({ host: "foyer.test", protocol: "https" }, undefined)).toBe("https://foyer.test");
});

test("PUBLIC_URL is the origin, whatever was asked", () => {
  expect(ask("evil.test", "https://foyer.test")).toBe("https://foyer.test");
});

test.each<[string, string | undefined, string | undefined, boolean]>([
  ["https://foyer.test", "foyer.test", undefined, true],
  ["https://foyer.test:8443", "foyer.test", undefined, true],
  ["http://localhost:5173", "localhost:3000", undefined, true],
  ["http://[::1]:3000", "[::1]:3000", undefined, true],
  ["https://FOYER.test", "foyer.test:443", undefined, true],
  ["http://foyer.test", "10.0.0.7:3000", "https://foyer.test", true],
  ["https://other.test", "other.test", "https://foyer.test", true],
  ["https://evil.test", "foyer.test", "https://foyer.test", false],
  ["https://foyer.test.evil.test", "foyer.test", "https://foyer.test", false],
  ["https://sub.foyer.test", "foyer.test", "https://foyer.test", false],
  ["https://foyer.test@evil.test", "foyer.test", "https://foyer.test", false],
  ["null", "foyer.test", "https://foyer.test", false],
  ["null", "null", undefined, false],
  ["", "foyer.test", "https://foyer.test", false],
  ["file://", "foyer.test", undefined, false],
  ["foyer.test", "foyer.test", undefined, false],
  ["https://foyer.test", undefined, undefined, false],
  ["https://evil.test", "foyer.test@evil.test", undefined, false],
])(
  "a page of %j that calls %j, with PUBLIC_URL %j: the site's own is %j",
  (origin, host, publicUrl, isOwn) => {
    expect(isOwnOrigin(origin, host, publicUrl)).toBe(isOwn);
  },
);
