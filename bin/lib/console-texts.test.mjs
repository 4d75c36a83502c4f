import { readFileSync } from "node:fs";
import { expect, test } from "@jest/globals";
import { buildConsoleTexts, CONSOLE_TEXTS } from "./console-texts.mjs";

test("the list of the console's areas is up to date; `npm run texts` writes it", () => {
  expect(readFileSync(CONSOLE_TEXTS, "utf8")).toBe(buildConsoleTexts());
});
