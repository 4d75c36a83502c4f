import { expect, test } from "@jest/globals";
import { toShortAddress, toWebAddress } from "./links.tsx";

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
