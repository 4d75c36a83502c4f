import { afterEach, expect, jest, test } from "@jest/globals";
import { trustHtml } from "./trusted-html.ts";

afterEach(() => void Reflect.deleteProperty(globalThis, "trustedTypes"));

test("where there are no Trusted Types the text is given as it is", () => {
  expect(trustHtml("<p>Hello</p>")).toBe("<p>Hello</p>");
});

test("where there are, all goes through the one policy, which is made once", () => {
  const createPolicy = jest.fn((name: string, rules: { createHTML: (html: string) => string }) => ({
    createHTML: (html: string) => ({ by: name, html: rules.createHTML(html) }),
  }));
  Object.assign(globalThis, { trustedTypes: { createPolicy } });
  for (const html of ["<p>1</p>", "<p>2</p>"]) expect(trustHtml(html)).toEqual({ by: "foyer", html });
  expect(createPolicy).toHaveBeenCalledTimes(1);
});
