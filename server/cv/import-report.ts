import type { Language } from "#contract/languages.ts";
import { formatPath } from "./faults.ts";
import { hasSide, type Item, type Resume, type Row, toOtherLanguage } from "./item.ts";
import { getAt, isJsonObject, type JsonObject, type JsonValue, omitAt } from "./json.ts";
import type { SectionMerge } from "./merge-section.ts";
import { toItemPath } from "./read-resume.ts";
import { getRowTitle } from "./row-title.ts";
import { SECTIONS, type Section, type SectionName } from "./sections.ts";

export interface SectionReport {
  section: SectionName;
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
  for (const section of SECTIONS) {
    for (const key of resume[section.name].flatMap((item) => listKeptKeys(section, item))) {
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
