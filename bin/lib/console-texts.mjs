import { readdirSync } from "node:fs";
import { join } from "node:path";
import { ROOT } from "./paths.mjs";

export const CONSOLE_TEXTS = join(ROOT, "locales/console-texts.ts");

/** What `providers/i18n.ts` finds: the console's own areas, and the words that it shares with mails. */
const IS_OF_CONSOLE = /^(admin(-.*)?|mail-codes|mail-stop-reasons)\.json$/;

const HEAD = `// Written by \`npm run texts\`, which is for whoever adds an area; a test compares.

interface Areas {`;

const FOOT = `}

type Area = Areas[keyof Areas];
type KeyOf<T> = T extends T ? keyof T : never;

/** The console's texts by their first key, from the English files of all areas. */
export type ConsoleTexts = { [Key in KeyOf<Area>]: Extract<Area, Record<Key, unknown>>[Key] };
`;

/** The types of the console's texts: TypeScript finds nothing by folder. */
export function buildConsoleTexts() {
  const areas = readdirSync(join(ROOT, "locales/en"))
    .filter((file) => IS_OF_CONSOLE.test(file))
    .sort()
    .map((file) => file.replace(".json", ""))
    .map((area) => `  ${area.includes("-") ? `"${area}"` : area}: typeof import("./en/${area}.json");`);
  return [HEAD, ...areas, FOOT].join("\n");
}
