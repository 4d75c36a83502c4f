import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";

type Rules = Record<"createHTML" | "createScriptURL", (text: string) => string>;

let types: typeof import("./trusted-types.ts");
beforeEach(async () => {
  jest.resetModules();
  types = await import("./trusted-types.ts");
});
afterEach(() => void Reflect.deleteProperty(globalThis, "trustedTypes"));

test("where there are no Trusted Types a text is given as it is", () => {
  expect(types.trustHtml("<p>Hello</p>")).toBe("<p>Hello</p>");
  expect(types.trustWorker("/worker.mjs?v=1")).toBe("/worker.mjs?v=1");
});

test("where there are, all goes through the one policy, which is made once", () => {
  const createPolicy = jest.fn((name: string, rules: Rules) => ({
    createHTML: (html: string) => ({ by: name, html: rules.createHTML(html) }),
    createScriptURL: (address: string) => ({ by: name, address: rules.createScriptURL(address) }),
  }));
  Object.assign(globalThis, { trustedTypes: { createPolicy } });
  for (const html of ["<p>1</p>", "<p>2</p>"]) expect(types.trustHtml(html)).toEqual({ by: "foyer", html });
  const address = "/pdf.worker.min.mjs?v=5.1";
  expect(types.trustWorker(address)).toEqual({ by: "foyer", address });
  for (const other of [
    "https://evil.example/x.mjs?",
    "//evil.example/x.mjs?",
    "data:text/javascript,1?",
    "x",
  ])
    expect(() => types.trustWorker(other)).toThrow("no script of the site's own");
  expect(createPolicy).toHaveBeenCalledTimes(1);
});
