import { writeFileSync } from "node:fs";
import { buildConsoleTexts, CONSOLE_TEXTS } from "./lib/console-texts.mjs";

writeFileSync(CONSOLE_TEXTS, buildConsoleTexts());
