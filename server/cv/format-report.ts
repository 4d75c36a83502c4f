import type { Language } from "#contract/languages.ts";
import type { ImportReport, SectionReport } from "./import-report.ts";

const LANGUAGE_NAMES: Record<Language, string> = { en: "English", tr: "Turkish" };
const MAX_PATHS = 8;

function formatPaths(paths: readonly string[]): string {
  const more = paths.length - MAX_PATHS;
  return [...paths.slice(0, MAX_PATHS), ...(more > 0 ? [`${more} more`] : [])].join(", ");
}

function formatSection({ section, ...counts }: SectionReport): string {
  const parts = Object.entries(counts).filter(([, count]) => count > 0);
  const text = parts.map(([word, count]) => `${count} ${word}`).join(", ");
  return `  ${section.padEnd(14)}${text || "none"}`;
}

function formatUntranslated(report: ImportReport, lang: Language): string[] {
  const paths = report.untranslated[lang];
  if (paths.length === 0) return [];
  const texts = paths.length === 1 ? "1 text has" : `${paths.length} texts have`;
  return [
    `${texts} no ${LANGUAGE_NAMES[lang]} yet, the page shows the other language: ${formatPaths(paths)}`,
  ];
}

function formatKept(kept: readonly string[]): string[] {
  if (kept.length === 0) return [];
  const hasPicture = kept.some((key) => key === "basics.image" || key === "basics.picture");
  return [
    `Kept and given back by /cv.json, but not shown: ${kept.join(", ")}`,
    ...(hasPicture
      ? ["The picture is none of this site's files and isn't downloaded: upload it under CV profile."]
      : []),
  ];
}

/** The report of an import as lines for a terminal. */
export function formatReport(report: ImportReport): string {
  const lines = [
    ...(report.sampleRemoved > 0 ? [`Removed the sample content first: ${report.sampleRemoved} items.`] : []),
    report.isUnchanged
      ? `Nothing changed: the ${LANGUAGE_NAMES[report.lang]} CV says all this already.`
      : `Imported as ${LANGUAGE_NAMES[report.lang]}:`,
    ...(report.isUnchanged ? [] : report.sections.map(formatSection)),
    ...report.removed.map((title) => `Removed ${title}`),
    ...(report.changedForBoth.length > 0
      ? [`Changed for both languages: ${formatPaths(report.changedForBoth)}`]
      : []),
    ...formatKept(report.kept),
    ...formatUntranslated(report, "en"),
    ...formatUntranslated(report, "tr"),
  ];
  return `${lines.join("\n")}\n`;
}
