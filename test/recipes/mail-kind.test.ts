import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

const RECIPE = readRecipe("A new kind of mail");
const KIND = "server/mail/kinds/room-closed.ts";

/** The mail in both languages, and what the console's list calls it. */
const BUILD = `
  import { composeMail } from "#server/mail/compose.ts";
  import { toKindLabel } from "#server/models/declared/mail-message.ts";
  import { buildMails, SITE } from "#server/mail/test-mails.ts";
  const mails = ["en", "tr"].map((language) => {
    const mail = buildMails(language, "Tea").find(({ kind }) => kind === "room_closed");
    const { subject, text } = composeMail(mail, SITE);
    return { subject, text, label: toKindLabel("room_closed", language) };
  });
  console.log(JSON.stringify(mails));
  process.exit();`;

let copy: ScratchCopy;
beforeAll(() => {
  copy = makeScratchCopy(["server", "contract", "locales", "tsconfig.json"]);
  for (const [file, text] of RECIPE) {
    if (file === KIND) copy.write(file, text);
    else copy.write(file, JSON.stringify({ ...JSON.parse(copy.read(file)), ...JSON.parse(`{${text}}`) }));
  }
});
afterAll(() => copy.remove());

test("the recipe touches three files: the kind, and its texts in two languages", async () => {
  expect(copy.listTouched()).toEqual(["locales/en/mail.json", "locales/tr/mail.json", KIND]);
});

test("its mail is built in both languages, and has its label in the console's list", async () => {
  const [en, tr] = JSON.parse(await copy.runModule(BUILD));
  expect(en).toMatchObject({ subject: "Tea is closed", label: "Room closed" });
  expect(en.text).toContain("Tea was closed.");
  expect(tr).toMatchObject({ subject: "Tea kapandı", label: "Oda kapandı" });
});
