import { expect, test } from "@jest/globals";
import { SITE_INFO } from "#test/site-info.ts";
import { toSocialLinks } from "./social-links.ts";

test("a network without an address, or with one that isn't for the web, is left out", () => {
  const site = { ...SITE_INFO, github: "javascript:alert(1)", steam: null };
  expect(toSocialLinks(site)).toEqual([{ name: "LinkedIn", href: SITE_INFO.linkedin }]);
});
