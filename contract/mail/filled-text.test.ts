import { expect, test } from "@jest/globals";
import refusalsEn from "#locales/en/mail-refusals.json" with { type: "json" };
import en from "#locales/en/mail-stop-reasons.json" with { type: "json" };
import tr from "#locales/tr/mail-stop-reasons.json" with { type: "json" };
import { readFilled } from "./reasons.ts";

const { stopReasons } = en;

test.each([
  ["Returned for good.", { key: "forGood", vars: {} }],
  [
    "3 mails came back within 30 days, and none arrived between them.",
    { key: "often", vars: { mails: "3", days: "30" } },
  ],
  ["Complaint: no type named.", { key: "untypedComplaint", vars: {} }],
  ["Complaint: abuse.", { key: "complaint", vars: { type: "abuse" } }],
  ["Complaint: abuse", { key: "byStaffComplaint", vars: { type: "abuse" } }],
  ["Returned: 5.1.1", { key: "byStaffReturned", vars: { code: "5.1.1" } }],
])("%s is known again", (text, expected) => {
  expect(readFilled(stopReasons, text)).toEqual(expected);
});

test("a person's words are no sentence of the server", () => {
  for (const text of ["", "She asked.", "Returned for good", "They said: Returned for good.", "Returned: "])
    expect(readFilled(stopReasons, text)).toBeUndefined();
});

test("of texts that several sentences could have made the first speaks, and each is known by itself", () => {
  for (const sentences of [stopReasons, refusalsEn] as Record<string, string>[])
    for (const [key, sentence] of Object.entries(sentences))
      expect(readFilled(sentences, sentence.replaceAll(/\{\{(\w+)\}\}/g, "x"))?.key).toBe(key);
});

test("what a sentence was filled with is what is found in it, in both languages", () => {
  for (const sentences of [stopReasons, tr.stopReasons])
    for (const sentence of Object.values(sentences)) {
      const text = sentence.replaceAll(/\{\{(\w+)\}\}/g, "($1) +");
      const vars = Object.fromEntries(
        [...sentence.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => [name, `(${name}) +`]),
      );
      expect(readFilled({ sentence }, text)).toEqual({ key: "sentence", vars });
    }
});
