import { expect, test } from "@jest/globals";
import en from "#locales/en/mail-codes.json" with { type: "json" };
import tr from "#locales/tr/mail-codes.json" with { type: "json" };
import { MAIL_REASONS, toReasonKey } from "./reasons.ts";

test.each([
  [{ statusCode: "5.1.1", bounce: { type: "Permanent", subtype: "NoEmail" } }, "5-1-1"],
  [{ statusCode: "5.7.512" }, "5-7"],
  [{ statusCode: "4.9.9" }, "4"],
  [{ statusCode: "5.0.0", bounce: { type: "Permanent", subtype: "General" } }, "Permanent"],
  [{ statusCode: "5.0.0", bounce: { type: "Undetermined", subtype: "General" } }, "Undetermined"],
  [{ bounce: { type: "Transient", subtype: "MailboxFull" } }, "MailboxFull"],
  [
    { statusCode: "5.1.1", bounce: { type: "Permanent", subtype: "OnAccountSuppressionList" } },
    "OnAccountSuppressionList",
  ],
  [{ statusCode: "5.1.1", bounce: { type: "Permanent", subtype: "Suppressed" } }, "Suppressed"],
  [{ bounce: { type: "Transient", subtype: "a word of the provider's own" } }, "Transient"],
  [{ statusCode: "constructor.__proto__" }, "unknown"],
  [{}, "unknown"],
])("%j has the reason %s", (event, key) => {
  expect(toReasonKey(event)).toBe(key);
});

test.each(Object.entries({ en, tr }))(
  "every reason has a sentence in %s, and no sentence is without one",
  (_, texts) => {
    expect(Object.keys(texts.mailCodes).sort()).toEqual([...MAIL_REASONS].sort());
    for (const text of Object.values(texts.mailCodes)) expect(text).toMatch(/^\p{Lu}.{10,}\.$/su);
  },
);

test("whatever a code may be, there is a sentence for it", () => {
  for (const digit of [2, 4, 5])
    for (let subject = 0; subject <= 9; subject += 1)
      for (let detail = 0; detail <= 40; detail += 1)
        expect(MAIL_REASONS).toContain(toReasonKey({ statusCode: `${digit}.${subject}.${detail}` }));
  for (const type of ["Permanent", "Transient", "Undetermined"])
    expect(toReasonKey({ bounce: { type, subtype: "General" } })).toBe(type);
});
