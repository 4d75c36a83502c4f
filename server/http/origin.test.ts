import { expect, test } from "@jest/globals";
import { toOrigin } from "./origin.ts";

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

test("PUBLIC_URL is the origin, whatever was asked", () => {
  expect(ask("evil.test", "https://foyer.test")).toBe("https://foyer.test");
});
