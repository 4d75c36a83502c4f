import { expect, test } from "@jest/globals";
import { mailMessage } from "#server/models/declared/mail-message.ts";
import { MAIL_TEXTS } from "./content.ts";
import { MAIL_KINDS } from "./kinds.ts";

test("each kind of mail has its texts in both languages, and is a choice of the console's list", () => {
  const names = [...MAIL_KINDS.keys()].sort();
  expect(names.length).toBeGreaterThan(10);
  for (const texts of Object.values(MAIL_TEXTS))
    expect(Object.keys(texts)).toEqual(expect.arrayContaining(names));
  const choices = mailMessage.fields.kind?.choices ?? [];
  expect(choices.map(({ value }) => value).sort()).toEqual(names);
  for (const { labels } of choices) expect([labels.en, labels.tr]).not.toContain("");
});
