import { expect, test } from "@jest/globals";
import {
  findCodeFaults,
  findNewPasswordFaults,
  findRegistrationFaults,
  getPasswordStrength,
  isEmailShaped,
  trimRegistration,
} from "./account-rules.ts";

const GOOD = {
  username: "ada_99",
  email: "ada@example.org",
  password: "Correct-horse-1",
  password_confirm: "Correct-horse-1",
};

test("a registration by the rules has no faults", () => {
  expect(findRegistrationFaults(GOOD)).toEqual([]);
});

test.each([
  [{ username: "" }, "username", "username_required", undefined],
  [{ username: "ab" }, "username", "too_short", { min: 3 }],
  [{ username: "x".repeat(31) }, "username", "too_long", { max: 30 }],
  [{ username: "ada-99" }, "username", "username_invalid", undefined],
  [{ username: "ışık" }, "username", "username_invalid", undefined],
  [{ email: "" }, "email", "email_required", undefined],
  [{ email: "ada@example" }, "email", "invalid_email", undefined],
  [{ password_confirm: "" }, "password_confirm", "password_confirm_required", undefined],
  [{ password_confirm: "Correct-horse-2" }, "password_confirm", "passwords_differ", undefined],
])("%j is the fault of %s: %s", (change, field, code, vars) => {
  expect(findRegistrationFaults({ ...GOOD, ...change })).toEqual([{ field, code, ...(vars && { vars }) }]);
});

test.each([
  ["", "password_required"],
  ["Short-1", "too_short"],
  ["x".repeat(129), "too_long"],
])("the new password %s is refused with %s, under the request's own name", (password, code) => {
  const faults = findNewPasswordFaults(
    { password, repeated: password },
    { password: "new_password", repeated: "again" },
  );
  expect(faults).toContainEqual(expect.objectContaining({ field: "new_password", code }));
});

test.each(["all-lower-case", "94028417", "x".repeat(128), "çay bardağı ve bir simit"])(
  "%s may be a password: no kind of sign is asked for",
  (password) => {
    expect(findRegistrationFaults({ ...GOOD, password, password_confirm: password })).toEqual([]);
  },
);

test("every field at fault is named, in the order of the form", () => {
  const nothing = { username: "", email: "", password: "", password_confirm: "" };
  expect(findRegistrationFaults(nothing).map((fault) => fault.code)).toEqual([
    "username_required",
    "email_required",
    "password_required",
    "password_confirm_required",
  ]);
});

test.each(["a@b.co", `${"a".repeat(64)}@example.org`, "first.last+tag@sub.example.museum"])(
  "%s is an address",
  (email) => {
    expect(isEmailShaped(email)).toBe(true);
  },
);

test.each([
  "a@b.c",
  "a@b.c0",
  `${"a".repeat(65)}@example.org`,
  "a..b@example.org",
  "a@example..org",
  "a@-example.org",
  "@example.org",
  "a@b@example.org",
  "a b@example.org",
  `a@${"x".repeat(250)}.org`,
  "a@example.org\n",
])("%j is none", (email) => {
  expect(isEmailShaped(email)).toBe(false);
});

test("blanks around name and address go, the password's stay", () => {
  const typed = { ...GOOD, username: " ada_99 ", email: "\tada@example.org ", password: " Correct-horse-1 " };
  expect(trimRegistration(typed)).toEqual({ ...GOOD, password: " Correct-horse-1 " });
});

test.each([
  ["", "code_length"],
  ["12345", "code_length"],
  ["1234567", "code_length"],
  ["12345a", "code_digits"],
  ["١٢٣٤٥٦", "code_digits"],
])("the code %j is refused with %s", (code, fault) => {
  expect(findCodeFaults(code)).toEqual([{ field: "otp_code", code: fault }]);
});

test("six digits are a code", () => {
  expect(findCodeFaults("012345")).toEqual([]);
});

test.each([
  ["", "very_weak"],
  ["Aa1", "very_weak"],
  ["Aa1x", "weak"],
  ["Aa1xxxx", "weak"],
  ["longer-than-8", "medium"],
  ["a long one is strong", "strong"],
  ["Longer-than-8", "strong"],
])("%j looks %s", (password, strength) => {
  expect(getPasswordStrength(password)).toBe(strength);
});
