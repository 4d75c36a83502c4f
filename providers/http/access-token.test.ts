import { expect, test } from "@jest/globals";
import { readSubject } from "./access-token.ts";

const toToken = (payload: unknown) =>
  `e30.${btoa(JSON.stringify(payload)).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "")}.x`;

test.each([
  ["a text", toToken({ sub: "7", exp: 1 }), "7"],
  ["letters of any alphabet in the base of web addresses", toToken({ sub: "~~~???" }), "~~~???"],
  ["nobody", toToken({ exp: 1 }), undefined],
  ["something else", toToken({ sub: 7 }), undefined],
  ["nothing, being no JWT", "opaque", undefined],
])("the subject of a token that names %s", (_what, token, subject) => {
  expect(readSubject(token)).toBe(subject);
});
