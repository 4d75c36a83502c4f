import type { Language } from "#contract/languages.ts";
import { drawBlueprint } from "./blueprint.ts";
import { drawBanknote, drawDeco } from "./centred-designs.ts";
import { drawClassic } from "./classic.ts";
import { drawModern } from "./modern.ts";
import { drawNight } from "./night.ts";
import * as palettes from "./palettes.ts";
import type { Design, Palette } from "./sheet.ts";

/** How a certificate is drawn; what it says comes from the content. */
export interface CertificatePlan {
  lang: Language;
  design: Design;
  palette: Palette;
  motto: string;
  signer: string;
}

function plan(
  lang: Language,
  design: Design,
  palette: Palette,
  motto: string,
  signer: string,
): CertificatePlan {
  return { lang, design, palette, motto, signer };
}

const { NAVY_GOLD, FOREST, BURGUNDY, PLUM, JADE, MIDNIGHT_GOLD, PINE_GOLD, DUCK, CORAL, LAGOON } = palettes;

/** One plan for each file of a certificate. */
export const CERTIFICATE_PLANS: Readonly<Record<string, CertificatePlan>> = {
  "keeper-of-indexes.pdf": plan(
    "en",
    drawClassic,
    NAVY_GOLD,
    "LOOK IT UP · DO NOT SCAN · ",
    "Keeper of the Keys",
  ),
  "rubber-duck-debugging.png": plan("en", drawModern, DUCK, "EXPLAIN IT TO ME AGAIN · ", "The Dean, a duck"),
  "exactly-once.pdf": plan("en", drawBanknote, PLUM, "ONCE · ONCE · ONLY ONCE · ", "Deputy of Repetition"),
  "cron-jobs.jpg": plan("tr", drawDeco, PINE_GOLD, "HER GECE · SAAT ÜÇTE · ", "Dernek Başkanı"),
  "query-whisperer.pdf": plan(
    "en",
    drawDeco,
    MIDNIGHT_GOLD,
    "PLAN FIRST · RUN LATER · ",
    "Head of Explanations",
  ),
  "semicolons.svg": plan(
    "en",
    drawModern,
    palettes.PAPER_RED,
    "PAUSE; THEN GO ON; ",
    "Master of Punctuation",
  ),
  "on-call.jpg": plan("tr", drawNight, palettes.NIGHT, "BİRİ UYANIK · HERKES RAHAT · ", "Nöbetçi Amiri"),
  "vacuuming.pdf": plan("en", drawModern, LAGOON, "LEAVE NO DEAD ROWS · ", "Keeper of the Broom"),
  "ending-meetings.jpg": plan("en", drawClassic, FOREST, "ANY OTHER BUSINESS? NO · ", "Deputy of Farewells"),
  "time-zones.pdf": plan("tr", drawBanknote, JADE, "HER YERDE · BAŞKA SAAT · ", "Gözlemevi Müdürü"),
  "naming-things.png": plan("en", drawModern, CORAL, "TEMP2 FINAL NEW · ", "Professor Untitled"),
  "regular-expressions.svg": plan(
    "tr",
    drawDeco,
    palettes.AUBERGINE_GOLD,
    "NOKTA · YILDIZ · SORU · ",
    "Oda Sekreteri",
  ),
  "moving-furniture.pdf": plan("en", drawClassic, BURGUNDY, "SOFA UP · SERVICE UP · ", "Chair of Chairs"),
  "paper-bridges.png": plan("en", drawBlueprint, palettes.BLUEPRINT, "HELD ONE MUG · ", "Chief Folder"),
  "typing-in-the-dark.png": plan(
    "tr",
    drawNight,
    palettes.DUSK,
    "F İLE J HEP AYNI YERDE · ",
    "Işıkları Söndüren",
  ),
};
