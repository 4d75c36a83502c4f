/** @jest-environment node */
import { expect, test } from "@jest/globals";
import { toBackEndAddress } from "./back-end-address.ts";

test.each([
  ["/files/ab.png", "", "/files/ab.png"],
  ["/files/ab.png", "https://api.test/", "https://api.test/files/ab.png"],
  ["https://cdn.test/ab.png", "https://api.test", "https://cdn.test/ab.png"],
  ["//cdn.test/ab.png", "https://api.test", "//cdn.test/ab.png"],
])("%s with the back end at %j is %s", (address, baseUrl, expected) => {
  expect(toBackEndAddress(address, baseUrl)).toBe(expected);
});
