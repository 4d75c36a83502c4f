import { describe, expect, test } from "@jest/globals";
import { SITE_INFO } from "#test/site-info.ts";
import { toShortAddress, toSocialLinks, toWebAddress } from "./links.tsx";

describe("links", () => {
  test.each(["https://example.com/a?b#c", "http://example.com", "/files/abc.pdf"])(
    "%s may be linked",
    (address) => {
      expect(toWebAddress(address)).toBe(address);
    },
  );

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "//evil.example",
    "/\\evil.example",
    "example.com",
    "",
    null,
  ])("%s stays text", (address) => {
    expect(toWebAddress(address)).toBeNull();
  });

  test("people read an address without scheme, www and the slash at its end", () => {
    expect(toShortAddress("https://www.example.com/")).toBe("example.com");
    expect(toShortAddress("http://example.com/isil")).toBe("example.com/isil");
  });
});

describe("social links", () => {
  test("a network without an address, or with one that isn't for the web, is left out", () => {
    const site = { ...SITE_INFO, github: "javascript:alert(1)", steam: null };
    expect(toSocialLinks(site)).toEqual([{ name: "LinkedIn", href: SITE_INFO.linkedin }]);
  });
});
