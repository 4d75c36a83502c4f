import type { Language } from "#contract/languages.ts";
import { formatPartialDate } from "#contract/partial-date.ts";
import type { Cv, CvList, CvSection, HubProject, PictureSize, SectionFields } from "#contract/site/cv.ts";
import en from "#locales/en/site.json" with { type: "json" };
import tr from "#locales/tr/site.json" with { type: "json" };
import { FILE_PREFIX } from "#server/models/kinds/file.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { getPictureSizes } from "#server/pictures/service.ts";
import { type SectionChoices, toHeading, toOrdered } from "./sections.ts";
import type { ShownItem, ShownRows } from "./select-shown.ts";
import { type ShownModel, toSectionFields, toSectionName } from "./shown-models.ts";

const PRESENT: Readonly<Record<Language, string>> = { en: en.cv.present, tr: tr.cv.present };

/** From when to when, as the page says it: `Mar 2021 – present`. Null where neither is known. */
export function toPeriodText(start: string | null, end: string | null, lang: Language): string | null {
  if (!start || start === end) return end && formatPartialDate(end, lang);
  return `${formatPartialDate(start, lang)} – ${end ? formatPartialDate(end, lang) : PRESENT[lang]}`;
}

function getText({ values }: ShownItem, name: string): string | null {
  const value = values[name];
  return typeof value === "string" ? value : null;
}

function getList({ values }: ShownItem, name: string): string[] {
  const value = values[name];
  return Array.isArray(value) ? value : [];
}

function toSizes(file: string | null): PictureSize[] {
  return file === null ? [] : getPictureSizes(file);
}

function toLink(item: ShownItem): Cv["links"] {
  const url = getText(item, "url");
  if (url === null) return [];
  const network = getText(item, "network") ?? URL.parse(url)?.hostname ?? url;
  return [{ network, url, username: getText(item, "username") }];
}

function toPeriod(item: ShownItem, lang: Language) {
  const [start_date, end_date] = [getText(item, "start_date"), getText(item, "end_date")];
  return { start_date, end_date, date: toPeriodText(start_date, end_date, lang) };
}

function toExperience(item: ShownItem, lang: Language): Cv["experience"][number] {
  return {
    id: item.id,
    role: getText(item, "role") ?? "",
    company: getText(item, "company") ?? "",
    url: getText(item, "url"),
    location: getText(item, "location"),
    ...toPeriod(item, lang),
    company_description: getText(item, "company_description"),
    description: getText(item, "description") ?? "",
    highlights: getList(item, "highlights"),
  };
}

function toEducation(item: ShownItem, lang: Language): Cv["education"][number] {
  const degree = [getText(item, "degree"), getText(item, "area")].filter((text) => text !== null);
  return {
    id: item.id,
    degree: degree.join(", "),
    institution: getText(item, "institution") ?? "",
    url: getText(item, "url"),
    ...toPeriod(item, lang),
    score: getText(item, "score"),
    courses: getList(item, "courses"),
  };
}

/** A card needs a label: an imported item without one stays in the database, and isn't shown. */
function toCertificate(item: ShownItem): Cv["certificates"] {
  const label = getText(item, "label");
  if (label === null) return [];
  const file = getText(item, "file");
  return [
    {
      id: item.id,
      label,
      issuer: getText(item, "issuer") ?? "",
      date: getText(item, "issued_on"),
      file,
      thumbnails: toSizes(file),
      url: getText(item, "url"),
    },
  ];
}

function toSkill(item: ShownItem): Cv["confidences"] {
  const label = getText(item, "label");
  const [icon, level] = [getText(item, "icon"), getText(item, "level")];
  return label === null ? [] : [{ id: item.id, label, icon, level, keywords: getList(item, "keywords") }];
}

/** A country as its name in a language, where it is given by its code; what else is given stays as it is. */
function toCountry(given: string | null, lang: Language): Pick<Cv["address"], "country" | "country_code"> {
  const code = given?.toUpperCase() ?? "";
  if (!/^[A-Z]{2}$/.test(code)) return { country: given, country_code: null };
  const name = new Intl.DisplayNames(lang, { type: "region" }).of(code);
  return { country: name ?? given, country_code: code };
}

function toAddress(profile: ShownItem, lang: Language): Cv["address"] {
  return {
    province: getText(profile, "province") ?? "",
    district: getText(profile, "district") ?? "",
    street: getText(profile, "street"),
    postal_code: getText(profile, "postal_code"),
    ...toCountry(getText(profile, "country"), lang),
  };
}

/** Lists that specification A section 3 names, and the models that they are made of. */
function toDocumentedLists(rows: ShownRows, lang: Language): Pick<Cv, CvList> {
  const itemsOf = (key: string) => rows.get(key) ?? [];
  return {
    confidences: itemsOf("cv.skill").flatMap(toSkill),
    experience: itemsOf("cv.experience").map((item) => toExperience(item, lang)),
    education: itemsOf("cv.education").map((item) => toEducation(item, lang)),
    certificates: itemsOf("cv.certificate").flatMap(toCertificate),
  };
}

const DOCUMENTED: Readonly<Record<string, CvList>> = {
  "cv.skill": "confidences",
  "cv.experience": "experience",
  "cv.education": "education",
  "cv.certificate": "certificates",
};

/** An item that says nothing above it can't be drawn. */
function hasTitle({ values }: ShownItem, { titles }: SectionFields): boolean {
  return titles.some((name) => values[name] !== undefined);
}

function toWireItem({ id, values }: ShownItem): CvSection["items"][number] {
  const said = Object.entries(values).map(([name, value]) => ({ name, texts: [value].flat() }));
  return { id, values: said };
}

/** A section of the page; none where it has no items. */
function toSection(
  shown: ShownModel,
  rows: ShownRows,
  lists: Pick<Cv, CvList>,
  choices: SectionChoices,
  lang: Language,
): Cv["sections"] {
  const { model } = shown;
  const section = model.site?.section;
  if (!section) return [];
  const named = { name: toSectionName(model), heading: toHeading(model, choices, lang) };
  const list = DOCUMENTED[model.key];
  if (list) return lists[list].length > 0 ? [{ ...named, list, person: null, fields: null, items: [] }] : [];
  const fields = toSectionFields(shown, lang);
  const items = (rows.get(model.key) ?? []).filter((item) => hasTitle(item, fields)).map(toWireItem);
  return items.length > 0 ? [{ ...named, list: null, person: section.person ?? null, fields, items }] : [];
}

/** What rows say of the CV in one language, as the page and `/api/cv/` show it. */
export function toCv(
  shown: readonly ShownModel[],
  rows: ShownRows,
  choices: SectionChoices,
  lang: Language,
): Omit<Cv, "has_sample"> {
  const profile = rows.get("cv.profile")?.[0] ?? { id: 0, values: {} };
  const text = (name: string) => getText(profile, name) ?? "";
  const photo = getText(profile, "photo");
  const lists = toDocumentedLists(rows, lang);
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
    address: toAddress(profile, lang),
    links: (rows.get("cv.link") ?? []).flatMap(toLink),
    ...lists,
    sections: toOrdered(shown, choices).flatMap((model) => toSection(model, rows, lists, choices, lang)),
  };
}

export const PROJECT_MODEL = "cv.project";

/** Fields of a project that its card shows: the picture too, which the CV leaves out. */
const CARD_FIELDS = [
  "name",
  "description",
  "highlights",
  "url",
  "start_date",
  "end_date",
  "keywords",
  "picture",
];

/** The projects as the hub reads them; undefined where the site has no such model. */
export function findHubModel(registry: Registry): ShownModel | undefined {
  const model = registry.byKey.get(PROJECT_MODEL);
  return model && { model, fields: model.fields.filter(({ name }) => CARD_FIELDS.includes(name)) };
}

/** A card needs a name: an imported project without one stays in the database, and isn't shown. */
export function toHubProject({ id, values }: ShownItem, lang: Language): HubProject[] {
  const [name] = [values.name ?? []].flat();
  if (name === undefined) return [];
  const text = (field: string) => [values[field] ?? []].flat()[0] ?? null;
  const picture = text("picture");
  return [
    {
      id,
      name,
      text: text("description") ?? text("highlights") ?? "",
      url: text("url"),
      date: toPeriodText(text("start_date"), text("end_date"), lang),
      tags: [values.keywords ?? []].flat(),
      pictures: picture?.startsWith(FILE_PREFIX) ? getPictureSizes(picture) : [],
    },
  ];
}
