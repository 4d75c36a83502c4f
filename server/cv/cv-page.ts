import type { Language } from "#contract/languages.ts";
import type { Cv, PictureSize } from "#contract/site/cv.ts";
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import { getPictureSizes } from "#server/pictures/service.ts";
import type { CvState, Item, Row } from "./item.ts";
import { toPeriodText } from "./period-text.ts";
import { pickItem } from "./pick-resume.ts";
import { SECTIONS, type SectionName } from "./sections.ts";

/** A row's id and its item in the language of the page. */
interface Entry {
  id: number;
  item: Item;
}

function pickEntries(rows: readonly Row[], name: SectionName, lang: Language): Entry[] {
  const section = SECTIONS.find((known) => known.name === name);
  return section ? rows.map((row) => ({ id: row.id, item: pickItem(section, row, lang) })) : [];
}

function getText({ item }: Entry, column: string): string | null {
  const value = item.values[column];
  return typeof value === "string" ? value : null;
}

function getList({ item }: Entry, column: string): string[] {
  const value = item.values[column];
  return Array.isArray(value) ? [...value] : [];
}

function getFile(entry: Entry, column: string): string | null {
  const key = getText(entry, column);
  return key === null ? null : `${FILE_PREFIX}${key}`;
}

function toSizes(file: string | null): PictureSize[] {
  return file === null ? [] : getPictureSizes(file);
}

function toLink(entry: Entry): Cv["links"] {
  const url = getText(entry, "url");
  if (url === null) return [];
  const network = getText(entry, "network") ?? URL.parse(url)?.hostname ?? url;
  return [{ network, url, username: getText(entry, "username") }];
}

function toPeriod(entry: Entry, lang: Language) {
  const [start_date, end_date] = [getText(entry, "start_date"), getText(entry, "end_date")];
  return { start_date, end_date, date: toPeriodText(start_date, end_date, lang) };
}

function toExperience(entry: Entry, lang: Language): Cv["experience"][number] {
  return {
    id: entry.id,
    role: getText(entry, "role") ?? "",
    company: getText(entry, "company") ?? "",
    url: getText(entry, "url"),
    location: getText(entry, "location"),
    ...toPeriod(entry, lang),
    description: getText(entry, "description") ?? "",
    highlights: getList(entry, "highlights"),
  };
}

function toEducation(entry: Entry, lang: Language): Cv["education"][number] {
  const degree = [getText(entry, "degree"), getText(entry, "area")].filter((text) => text !== null);
  return {
    id: entry.id,
    degree: degree.join(", "),
    institution: getText(entry, "institution") ?? "",
    url: getText(entry, "url"),
    ...toPeriod(entry, lang),
  };
}

/** A card needs a label: an imported item without one is kept, and not shown. */
function toCertificate(entry: Entry): Cv["certificates"] {
  const label = getText(entry, "label");
  if (label === null) return [];
  const file = getFile(entry, "file");
  return [
    {
      id: entry.id,
      label,
      issuer: getText(entry, "issuer") ?? "",
      date: getText(entry, "issued_on"),
      file,
      thumbnails: toSizes(file),
      url: getText(entry, "url"),
    },
  ];
}

function toConfidence(entry: Entry): Cv["confidences"] {
  const label = getText(entry, "label");
  return label === null ? [] : [{ id: entry.id, label, icon: getFile(entry, "icon") }];
}

/** What rows say of the CV in one language, as the page and `/api/cv/` show it. Each text falls back to the other language. */
export function toCv(state: CvState, lang: Language): Omit<Cv, "has_sample"> {
  const pick = (name: SectionName) => pickEntries(state[name], name, lang);
  const profile = pick("basics")[0] ?? { id: 0, item: { values: {}, extra: {} } };
  const text = (column: string) => getText(profile, column) ?? "";
  const photo = getFile(profile, "photo");
  return {
    lang,
    name: text("name"),
    title: text("title"),
    tagline: text("tagline"),
    description: text("description"),
    photo,
    photo_sizes: toSizes(photo),
    email: getText(profile, "email"),
    website: getText(profile, "website"),
    address: { province: text("province"), district: text("district") },
    links: pick("profiles").flatMap(toLink),
    confidences: pick("skills").flatMap(toConfidence),
    experience: pick("work").map((entry) => toExperience(entry, lang)),
    education: pick("education").map((entry) => toEducation(entry, lang)),
    certificates: pick("certificates").flatMap(toCertificate),
  };
}
