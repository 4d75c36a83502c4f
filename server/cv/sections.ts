import type { ModelDeclaration } from "#server/models/declare.ts";
import { certificate } from "#server/models/declared/certificate.ts";
import { confidence } from "#server/models/declared/confidence.ts";
import { education } from "#server/models/declared/education.ts";
import { experience } from "#server/models/declared/experience.ts";
import { link } from "#server/models/declared/link.ts";
import { profile } from "#server/models/declared/profile.ts";
import type { Field, Model } from "#server/models/model.ts";
import { buildRegistry, toModelKey } from "#server/models/registry/registry.ts";

/** Parts of a JSON Resume file that models have fields for. `basics` is the one row that the rest of the file hangs on. */
export const SECTION_NAMES = ["basics", "profiles", "work", "education", "certificates", "skills"] as const;
export type SectionName = (typeof SECTION_NAMES)[number];

/** A field of a model and the key of a JSON Resume item that it holds. */
export interface MappedField {
  field: Field;
  column: string;
  /** Keys from the item inward: `["location", "city"]`. */
  key: readonly string[];
  /** The key's name before version 1.0, still in most public files; read when the key itself is missing. */
  olderKey: readonly string[] | null;
  isLocalized: boolean;
}

/** One part of the file and its model. */
export interface Section {
  name: SectionName;
  /** Where the list stands in the file; null: the item is the file itself. */
  listAt: readonly string[] | null;
  model: Model;
  fields: readonly MappedField[];
  /** Columns by which people tell items apart, the weightiest first. */
  names: readonly string[];
}

interface SectionPlan {
  declaration: ModelDeclaration;
  listAt: string | null;
  /** Column → key, with dots between keys. */
  keys: Readonly<Record<string, string>>;
  olderKeys?: Readonly<Record<string, string>>;
  names: readonly string[];
}

const PLANS: Readonly<Record<SectionName, SectionPlan>> = {
  basics: {
    declaration: profile,
    listAt: null,
    keys: {
      name: "basics.name",
      title: "basics.label",
      tagline: "basics.tagline",
      description: "basics.summary",
      photo: "basics.image",
      email: "basics.email",
      phone: "basics.phone",
      website: "basics.url",
      district: "basics.location.city",
      province: "basics.location.region",
    },
    olderKeys: { photo: "basics.picture", website: "basics.website" },
    names: ["name"],
  },
  profiles: {
    declaration: link,
    listAt: "basics.profiles",
    keys: { network: "network", url: "url", username: "username" },
    names: ["network"],
  },
  work: {
    declaration: experience,
    listAt: "work",
    keys: {
      role: "position",
      company: "name",
      url: "url",
      location: "location",
      start_date: "startDate",
      end_date: "endDate",
      description: "summary",
      highlights: "highlights",
    },
    olderKeys: { company: "company", url: "website" },
    names: ["company", "role"],
  },
  education: {
    declaration: education,
    listAt: "education",
    keys: {
      institution: "institution",
      url: "url",
      area: "area",
      degree: "studyType",
      start_date: "startDate",
      end_date: "endDate",
    },
    olderKeys: { url: "website" },
    names: ["institution", "degree", "area"],
  },
  certificates: {
    declaration: certificate,
    listAt: "certificates",
    keys: { label: "name", issuer: "issuer", issued_on: "date", url: "url", file: "file" },
    names: ["label", "issuer"],
  },
  skills: {
    declaration: confidence,
    listAt: "skills",
    keys: { label: "name", icon: "icon" },
    names: ["label"],
  },
};

const REGISTRY = buildRegistry(
  SECTION_NAMES.map((name) => PLANS[name].declaration),
  new Map(),
);

function toMappedField(plan: SectionPlan, model: Model, column: string, key: string): MappedField {
  const field = model.fieldByName.get(column);
  if (!field) throw new Error(`${model.key} has no field ${column} for the key ${key}`);
  return {
    field,
    column,
    key: key.split("."),
    olderKey: plan.olderKeys?.[column]?.split(".") ?? null,
    isLocalized: field.kind.name.startsWith("localized_"),
  };
}

function buildSection(name: SectionName): Section {
  const plan = PLANS[name];
  const model = REGISTRY.byKey.get(toModelKey(plan.declaration));
  if (!model) throw new Error(`no model for ${name}`);
  const fields = Object.entries(plan.keys).map(([column, key]) => toMappedField(plan, model, column, key));
  return { name, listAt: plan.listAt?.split(".") ?? null, model, fields, names: plan.names };
}

export const SECTIONS: readonly Section[] = SECTION_NAMES.map(buildSection);

/** Models that the CV is made of: what a page that shows it depends on. */
export const CV_MODELS: readonly string[] = SECTIONS.map((section) => section.model.key);

/** One value for each section. */
export function mapSections<Value>(toValue: (section: Section) => Value): Record<SectionName, Value> {
  const entries = SECTIONS.map((section) => [section.name, toValue(section)] as const);
  return Object.fromEntries(entries) as Record<SectionName, Value>; // SECTIONS has every name once
}
