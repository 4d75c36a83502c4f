import type { Language } from "#contract/languages.ts";
import type { SectionFields } from "#contract/site/cv.ts";
import type { Field, Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";
import { SECTION_MODEL } from "#server/models/row-sql.ts";

/** A model as a public page shows it: with the fields that visitors may know. */
export interface ShownModel {
  model: Model;
  fields: readonly Field[];
}

/** What keeps rows in order and shows staff what they are. */
const NOT_CONTENT: ReadonlySet<string> = new Set(["is_hidden", "created_at", "updated_at"]);
const NOT_CONTENT_KINDS: ReadonlySet<string> = new Set(["order", "json"]);

const LONG_KINDS: ReadonlySet<string> = new Set([
  "long_text",
  "localized_long_text",
  "markdown",
  "localized_markdown",
]);
const SHORT_KINDS: ReadonlySet<string> = new Set(["text", "localized_text", "slug"]);
const DAY_KINDS: ReadonlySet<string> = new Set(["partial_date", "date"]);

function isShown(model: Model, { name, kind, viewLevel, isSecret }: Field): boolean {
  const isContent = !NOT_CONTENT.has(name) && !NOT_CONTENT_KINDS.has(kind.name);
  return isContent && viewLevel === 0 && !isSecret && !model.site?.section?.omit?.includes(name);
}

/** The models of a page: those with a section in its order, and in front of them those that stand elsewhere on it. */
export function findShownModels(registry: Registry, path: string): ShownModel[] {
  const toOrder = ({ site }: Model) => site?.section?.order ?? 0;
  return registry.models
    .filter(({ site, sitePath }) => site !== null && sitePath === path)
    .sort((one, other) => toOrder(one) - toOrder(other))
    .map((model) => ({ model, fields: model.fields.filter((field) => isShown(model, field)) }));
}

/** Keys of all models that make a page stale: its own, and those whose rows are named on it. */
export function listModelKeys(shown: readonly ShownModel[]): string[] {
  const related = shown.flatMap(({ fields }) => fields.flatMap(({ related }) => related?.key ?? []));
  return [...new Set([SECTION_MODEL, ...shown.map(({ model }) => model.key), ...related])];
}

/** The file of the section's component, where it has its own: the model's name, in front of it the app where that isn't `cv`. */
export function toSectionName({ app, name }: Model): string {
  return (app === "cv" ? name : `${app}-${name}`).replaceAll("_", "-");
}

/**
 * What each field of a section is on the page: as the declaration says it, else by its kind. A relation, a number or a choice
 * says nothing without its label: it is a fact.
 */
export function toSectionFields({ model, fields }: ShownModel, lang: Language): SectionFields {
  const { title, line, words = [] } = model.site?.section ?? {};
  const titles = [...new Set([title ?? model.titleField, model.titleField])];
  const named = new Set([...titles, ...(line ?? []), ...words]);
  const free = fields.filter(({ name }) => !named.has(name));
  const namesOf = (isIt: (field: Field) => boolean) => free.filter(isIt).map(({ name }) => name);
  const days = namesOf(({ kind }) => DAY_KINDS.has(kind.name));
  const [url] = namesOf(({ kind }) => kind.name === "url");
  const roles = {
    titles,
    line: line ? [...line] : namesOf(({ kind }) => SHORT_KINDS.has(kind.name)),
    words: [...words],
    texts: namesOf(({ kind }) => LONG_KINDS.has(kind.name)),
    lists: namesOf(({ kind }) => kind.name === "localized_list"),
    images: namesOf(({ kind }) => kind.name === "image"),
  };
  const taken = new Set([...Object.values(roles).flat(), ...days.slice(0, 2), url]);
  const facts = fields
    .filter(({ name }) => !taken.has(name))
    .map(({ name, labels, kind }) => ({ name, label: labels[lang], is_file: kind.holdsFile ?? false }));
  return { ...roles, start: days[0] ?? null, end: days[1] ?? days[0] ?? null, url: url ?? null, facts };
}
