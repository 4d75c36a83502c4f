import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Language, pickText } from "#contract/languages.ts";
import { CERTIFICATES } from "#server/sample/certificates.ts";
import { PROFILE } from "#server/sample/content.ts";
import { drawCertificate } from "./draw-certificate.ts";
import { drawPortrait } from "./portrait.ts";
import { loadFonts } from "./sheet.ts";
import { TOOL_ICONS } from "./tool-icons.ts";

/** `npm run sample:files`: draws the pictures and documents of the sample content anew. Their texts come from the content. */
const FOLDER = join(import.meta.dirname, "../../server/sample/files");

/** A month or a year in words, as a certificate writes it. */
function toWords(date: string, lang: Language): string {
  if (date.length === 4) return date;
  return new Intl.DateTimeFormat(lang, { year: "numeric", month: "long", timeZone: "UTC" }).format(
    new Date(`${date}-01`),
  );
}

loadFonts();
await rm(FOLDER, { recursive: true, force: true });
await mkdir(FOLDER);
const write = (name: string, content: Buffer | string) => writeFile(join(FOLDER, name), content);

await write(PROFILE.photo ?? "", drawPortrait());
for (const [name, svg] of Object.entries(TOOL_ICONS)) await write(name, svg);
for (const { file, label, issuer, issued_on } of CERTIFICATES) {
  const content = drawCertificate(file ?? "", (lang) => ({
    holder: PROFILE.name,
    title: pickText(label, lang),
    issuer: pickText(issuer, lang),
    date: toWords(issued_on ?? "", lang),
  }));
  await write(file ?? "", content);
}
