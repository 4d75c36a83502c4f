import type { Language } from "#contract/languages.ts";
import { formatPath } from "./faults.ts";
import { getRowTitle, hasSide, type Item, type Resume, type Row, toOtherLanguage } from "./item.ts";
import { getAt, isJsonObject, type JsonObject, type JsonValue, omitAt } from "./json.ts";
import type { SectionMerge } from "./merge-section.ts";
import { toItemPath } from "./read-resume.ts";
import type { Section } from "./sections.ts";

export interface SectionReport {
  section: string;
  created: number;
  updated: number;
  removed: number;
  unchanged: number;
}

/** What an import did, for the person who ran it. */
export interface ImportReport {
  lang: Language;
  isUnchanged: boolean;
  sections: readonly SectionReport[];
  /** How many items of the sample content went first. */
  sampleRemoved: number;
  /** Rows that went, by section and title. */
  removed: readonly string[];
  /** Facts without a language that changed although the other language has a side too. */
  changedForBoth: readonly string[];
  /** Keys that are kept and given back, but have no place on the page, with how often they occur. */
  kept: readonly string[];
  /** Texts that exist in one language only: the page falls back there. */
  untranslated: Readonly<Record<Language, readonly string[]>>;
}

/** What an export says of itself: not content that someone would miss on a page. */
const TECHNICAL_KEYS = ["$schema", "meta"];

function toSectionReport({ section, changes, unchangedCount }: SectionMerge): SectionReport {
  const count = (action: string) => changes.filter((change) => change.action === action).length;
  return {
    section: section.name,
    created: count("create"),
    updated: count("update"),
    removed: count("delete"),
    unchanged: unchangedCount,
  };
}

function findRemoved({ section, changes }: SectionMerge): string[] {
  return changes.flatMap((change) =>
    change.action === "delete" ? [`${section.name}: ${getRowTitle(section, change.before)}`] : [],
  );
}

function findChangedForBoth({ section, rows, changes }: SectionMerge, lang: Language): string[] {
  return changes.flatMap((change) => {
    if (change.action !== "update" || !hasSide(change.before, toOtherLanguage(lang))) return [];
    const { before, after } = change;
    return section.fields
      .filter(({ column, isLocalized }) => !isLocalized && before.neutral[column] !== after.neutral[column])
      .map(({ key }) => formatPath([...toItemPath(section, rows.indexOf(after)), ...key]));
  });
}

/** Whether someone would miss a kept value. */
function saysSomething(value: JsonValue): boolean {
  if (typeof value === "string") return value.trim() !== "";
  if (Array.isArray(value)) return value.length > 0;
  return isJsonObject(value) ? Object.keys(value).length > 0 : value !== null;
}

/** Keys of an object that say something, by their paths. */
function listKeys(object: JsonValue | undefined, path: string): string[] {
  if (!isJsonObject(object)) return [];
  const keys = Object.keys(object).filter((key) => saysSomething(object[key] ?? null));
  return keys.map((key) => `${path}${path === "" ? "" : "."}${formatPath([key])}`);
}

/** Keys of the rest of the file: each entry of an unknown section, each key inside `basics`. */
function listFileKeys(extra: JsonObject): string[] {
  const { basics, ...sections } = extra;
  const lists = listKeys(sections, "").filter((key) => !TECHNICAL_KEYS.includes(key));
  const inBasics = isJsonObject(basics) ? omitAt(basics, ["location"]) : {};
  return [
    ...lists.flatMap((key) => {
      const value = sections[key];
      return Array.isArray(value) ? value.map(() => `${key}[]`) : [key];
    }),
    ...listKeys(inBasics, "basics"),
    ...listKeys(getAt(extra, ["basics", "location"]), "basics.location"),
  ];
}

function listKeptKeys(section: Section, item: Item): string[] {
  return section.listAt ? listKeys(item.extra, `${formatPath(section.listAt)}[]`) : listFileKeys(item.extra);
}

function countKept(resume: Resume): string[] {
  const counts = new Map<string, number>();
  for (const [section, items] of resume) {
    for (const key of items.flatMap((item) => listKeptKeys(section, item))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => (count > 1 ? `${key} × ${count}` : key));
}

function findUntranslated({ section, rows }: SectionMerge, lang: Language): string[] {
  const lacks = (row: Row, column: string) => {
    const sides = row.localized[column];
    return sides && sides[lang] === null && sides[toOtherLanguage(lang)] !== null;
  };
  return rows.flatMap((row, index) =>
    section.fields
      .filter(({ column }) => lacks(row, column))
      .map(({ key }) => formatPath([...toItemPath(section, index), ...key])),
  );
}

/** What an import made of the CV's own items. */
export function buildReport(
  resume: Resume,
  merges: readonly SectionMerge[],
  lang: Language,
): Omit<ImportReport, "sampleRemoved"> {
  const untranslated = (side: Language) => merges.flatMap((merge) => findUntranslated(merge, side));
  return {
    lang,
    isUnchanged: merges.every((merge) => merge.changes.length === 0),
    sections: merges.map(toSectionReport),
    removed: merges.flatMap(findRemoved),
    changedForBoth: merges.flatMap((merge) => findChangedForBoth(merge, lang)),
    kept: countKept(resume),
    untranslated: { en: untranslated("en"), tr: untranslated("tr") },
  };
}

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

const PICTURES = ["basics.image", "basics.picture"];

/** What is none of the schema's own, or a value that a page can't show, such as an address that is none of the web. */
function formatKept(kept: readonly string[]): string[] {
  const others = kept.filter((key) => !PICTURES.includes(key));
  return [
    ...(others.length > 0 ? [`In /cv.json alone: ${others.join(", ")}`] : []),
    ...(others.length < kept.length
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
