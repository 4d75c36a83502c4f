import resumeSchema from "@jsonresume/schema/schema.json" with { type: "json" };
import type { Field, Model } from "#server/models/model.ts";
import type { Registry } from "#server/models/registry/registry.ts";

/** A field of a model and the key of a JSON Resume item that it holds. */
export interface MappedField {
  field: Field;
  column: string;
  /** Keys from the item inward: `["location", "city"]`. */
  key: readonly string[];
  /** The key's name before version 1.0; read when the key itself is missing. */
  olderKey: readonly string[] | null;
  isLocalized: boolean;
}

/** One part of a JSON Resume file and its model. `basics` is the one row that the rest of the file hangs on. */
export interface Section {
  name: string;
  /** Where the list stands in the file; null: the item is the file itself. */
  listAt: readonly string[] | null;
  model: Model;
  fields: readonly MappedField[];
  /** Columns by which people tell items apart, the weightiest first. */
  names: readonly string[];
}

export type Sections = readonly Section[];

/** One value for each section. */
export type BySection<Value> = ReadonlyMap<Section, Value>;

function toMappedFields(model: Model, { keys, olderKeys }: NonNullable<Model["resume"]>): MappedField[] {
  return Object.entries(keys).map(([name, key]) => {
    const field = model.fieldByName.get(name);
    if (!field?.column) throw new Error(`${model.key} has no column ${name} for the key ${key}`);
    const isLocalized = field.kind.name.startsWith("localized_");
    const olderKey = olderKeys?.[name]?.split(".") ?? null;
    return { field, column: field.column, key: key.split("."), olderKey, isLocalized };
  });
}

function toSection(model: Model, resume: NonNullable<Model["resume"]>): Section {
  const listAt = resume.at?.split(".") ?? null;
  const name = listAt?.at(-1) ?? "basics";
  return { name, listAt, model, fields: toMappedFields(model, resume), names: resume.names };
}

const SCHEMA_LISTS = Object.keys(resumeSchema.properties);

/** The person first, then lists inside of `basics`, then the schema's own order; unknown lists come last. */
function toPlace({ listAt }: Section): number {
  if (!listAt) return -1;
  const place = SCHEMA_LISTS.indexOf(listAt[0] ?? "");
  return place < 0 ? SCHEMA_LISTS.length : place;
}

/** The parts of a JSON Resume file that models of the registry declare, in the order of the file. */
export function findSections({ models }: Pick<Registry, "models">): Sections {
  return models
    .flatMap((model) => (model.resume ? [toSection(model, model.resume)] : []))
    .sort((one, other) => toPlace(one) - toPlace(other));
}

/** One value for each section. */
export function mapSections<Value>(
  sections: Sections,
  toValue: (section: Section) => Value,
): BySection<Value> {
  return new Map(sections.map((section) => [section, toValue(section)]));
}
