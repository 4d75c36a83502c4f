/** @jest-environment node */
import { afterEach, expect, test } from "@jest/globals";
import { savePreferredLanguage } from "./browser-storage.ts";

const page = globalThis as unknown as { document?: { cookie: string }; location?: { protocol: string } };
afterEach(() => {
  delete page.document;
  delete page.location;
});

test.each([
  ["https:", true],
  ["http:", false],
])(
  "the cookie of the language, at %s, is of this site alone, and goes over HTTPS alone: %j",
  (protocol, isSecure) => {
    page.document = { cookie: "" };
    page.location = { protocol };
    savePreferredLanguage({ getItem: () => null, setItem: () => {}, removeItem: () => {} }, "tr");
    const [value, ...attributes] = page.document.cookie.split("; ");
    expect(value).toBe("preferred-language=tr");
    expect(attributes).toEqual(expect.arrayContaining(["path=/", "samesite=lax"]));
    expect(attributes.includes("secure")).toBe(isSecure);
  },
);
