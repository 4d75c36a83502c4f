import { formatPath } from "../resume/faults.ts";
import type { Item, Resume } from "../resume/item.ts";
import { getAt, isJsonObject, type JsonObject, type JsonValue, omitAt } from "../resume/json.ts";
import type { Section } from "../resume/sections.ts";

/** What an export says of itself: not content that someone would miss on a page. */
const TECHNICAL_KEYS = ["$schema", "meta"];

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

/** Keys that are kept and given back, but have no place on the page, with how often they occur. */
export function countKept(resume: Resume): string[] {
  const counts = new Map<string, number>();
  for (const [section, items] of resume) {
    for (const key of items.flatMap((item) => listKeptKeys(section, item))) {
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  return [...counts].map(([key, count]) => (count > 1 ? `${key} × ${count}` : key));
}
