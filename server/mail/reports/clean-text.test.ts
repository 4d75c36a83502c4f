import { expect, test } from "@jest/globals";
import { cleanDiagnostic } from "./clean-text.ts";

test.each([
  ["rejected: 123456 is your code for Foyer", "rejected: •••••• is your code for Foyer"],
  ["Subject:123456, then 654321.", "Subject:••••••, then ••••••."],
  ["_123456_ and code123456", "_••••••_ and code••••••"],
  ["123\u200b456 is your code", "•••••• is your code"],
  ["=?UTF-8?Q?123456_is_your_code?= refused", "•••••• refused"],
  ["=?utf-8?B?MTIzNDU2IGlzIHlvdXIgY29kZQ==?=", "••••••"],
])("a code in “%s” is masked", (text, expected) => {
  expect(cleanDiagnostic(text)).toBe(expected);
});

test.each(["12345 and 1234567", "550 5.1.1 user unknown", "250 2.0.0 Ok: queued as 4WxK2h3Zz9"])(
  "“%s” has no code and stays",
  (text) => expect(cleanDiagnostic(text)).toBe(text),
);

test("a folded answer becomes one line without control characters", () => {
  expect(cleanDiagnostic("  550-5.1.1 no\r\n\t550 such\u0000 user\u202e ")).toBe(
    "550-5.1.1 no 550 such user",
  );
});

test("a long answer is cut, never within a code or a character", () => {
  expect(cleanDiagnostic("x".repeat(300_000))).toHaveLength(500);
  expect(cleanDiagnostic(`${"x".repeat(494)} 123456`)).toBe(`${"x".repeat(494)} ••••…`);
  expect(cleanDiagnostic("😀".repeat(400)).isWellFormed()).toBe(true);
  expect(cleanDiagnostic("\ud83d alone").isWellFormed()).toBe(true);
});

test("cleaning twice is cleaning once", () => {
  const once = cleanDiagnostic(`550 =?UTF-8?Q?a?= 123456 ${"y ".repeat(400)}`);
  expect(cleanDiagnostic(once)).toBe(once);
});
