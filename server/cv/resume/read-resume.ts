import { isCalendarDate } from "#contract/partial-date.ts";
import {
  type Fault,
  findBlankPaths,
  findSchemaFaults,
  findStorageFaults,
  isSchemaEmail,
  isUri,
} from "./faults.ts";
import { type FileFacts, findStoredKey, fromCertificateAddresses } from "./file-address.ts";
import { type Item, type Resume, toList, toText, type Value } from "./item.ts";
import {
  getAt,
  isJsonObject,
  type JsonObject,
  type JsonPath,
  type JsonValue,
  omitAt,
  removeAt,
} from "./json.ts";
import { type MappedField, mapSections, type Section, type Sections } from "./sections.ts";

/** The localized list's own limit (`server/models/kinds/localized-list.ts`). */
const MAX_LIST_ITEMS = 100;

/**
 * What a key's value means to a model. `kept`: valid JSON Resume that the model has no place for (a `skype:` address,
 * a picture elsewhere, a number where we keep a text); it stays in the item's extra and is given back.
 */
export type Reading =
  | { is: "absent" }
  | { is: "value"; value: Value }
  | { is: "kept" }
  | { is: "faulty"; faults: readonly Fault[] };

const ABSENT: Reading = { is: "absent" };
const KEPT: Reading = { is: "kept" };

function findTooLong(field: MappedField, text: string, path: readonly (string | number)[]): Fault[] {
  const max = field.field.maxLength ?? Number.POSITIVE_INFINITY;
  return text.length > max ? [{ path, expected: { name: "length", vars: { max, count: text.length } } }] : [];
}

function toReading(value: Value, faults: readonly Fault[]): Reading {
  if (faults.length > 0) return { is: "faulty", faults };
  return value === null ? ABSENT : { is: "value", value };
}

function readList(field: MappedField, given: JsonValue): Reading {
  if (!Array.isArray(given)) return KEPT;
  const faults = given.flatMap((text, index) => findTooLong(field, toText(text) ?? "", [index]));
  const list = toList(given);
  const isTooLong = list !== null && list.length > MAX_LIST_ITEMS;
  return toReading(
    list,
    isTooLong
      ? [
          ...faults,
          { path: [], expected: { name: "entries", vars: { max: MAX_LIST_ITEMS, count: list.length } } },
        ]
      : faults,
  );
}

/** Reads one value by the rules that the admin's form has for the field. */
function readValue(field: MappedField, given: JsonValue, files: FileFacts): Reading {
  const { kind, accept } = field.field;
  if (kind.name === "localized_list") return readList(field, given);
  if (typeof given !== "string") return KEPT;
  const text = toText(given);
  if (text === null) return ABSENT;
  if (kind.holdsFile) {
    const key = findStoredKey(text, accept, files);
    return key === undefined ? KEPT : toReading(key, []);
  }
  switch (kind.name) {
    case "url": // it ends in an href: other schemes are kept, never shown
      return isUri(text) && kind.valueSchema(field.field).safeParse(text).success
        ? toReading(text, [])
        : KEPT;
    case "email":
      return isSchemaEmail(text) && kind.valueSchema(field.field).safeParse(text).success
        ? toReading(text, [])
        : toReading(null, [{ path: [], expected: { name: "email" }, found: given }]);
    case "partial_date":
      return isCalendarDate(text)
        ? toReading(text, [])
        : toReading(null, [{ path: [], expected: { name: "calendarDate" }, found: given }]);
    default:
      return toReading(text, findTooLong(field, text, []));
  }
}

/** What exports name when a file named no schema; never stored. */
export const DEFAULT_SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json";

/** Where an item of a section stands in the file. */
function toItemPath(section: Section, index: number): JsonPath {
  return section.listAt ? [...section.listAt, index] : [];
}

/** Value and rest of one field. A missing or blank key leaves the word to its older name, if that one says something. */
function readField(field: MappedField, rest: JsonObject, files: FileFacts) {
  const given = getAt(rest, field.key);
  const reading = given === undefined ? ({ is: "absent" } as const) : readValue(field, given, files);
  if (reading.is === "faulty") return { value: null, rest, faults: reading.faults };
  if (reading.is === "kept") return { value: null, rest, faults: [] };
  const left = given === undefined ? rest : omitAt(rest, field.key);
  if (reading.is === "value") return { value: reading.value, rest: left, faults: [] };
  const older = field.olderKey ? getAt(left, field.olderKey) : undefined;
  const second = older === undefined ? reading : readValue(field, older, files);
  return second.is === "value" && field.olderKey
    ? { value: second.value, rest: omitAt(left, field.olderKey), faults: [] }
    : { value: null, rest: left, faults: [] };
}

function readItem(section: Section, object: JsonObject, path: JsonPath, files: FileFacts) {
  const values: Record<string, Value> = {};
  const faults: Fault[] = [];
  let extra = object;
  for (const field of section.fields) {
    const read = readField(field, extra, files);
    values[field.column] = read.value;
    extra = read.rest;
    faults.push(...read.faults.map((fault) => ({ ...fault, path: [...path, ...field.key, ...fault.path] })));
  }
  const accept = section.model.fieldByName.get("file")?.accept;
  const item: Item = { values, extra };
  return { item: accept ? fromCertificateAddresses(item, accept, files) : item, faults };
}

/** The file without its lists and without the schema's address that exports name anyway. */
function toProfileObject(sections: Sections, document: JsonObject): JsonObject {
  const named = document.$schema === DEFAULT_SCHEMA ? omitAt(document, ["$schema"]) : document;
  return sections.reduce((left, section) => (section.listAt ? omitAt(left, section.listAt) : left), named);
}

function readSection(sections: Sections, section: Section, document: JsonObject, files: FileFacts) {
  if (!section.listAt) return [readItem(section, toProfileObject(sections, document), [], files)];
  const list = getAt(document, section.listAt);
  return (Array.isArray(list) ? list : [])
    .filter(isJsonObject)
    .map((object, index) => readItem(section, object, toItemPath(section, index), files));
}

/**
 * Reads a document by the official schema (blank dates and addresses count as absent) and by the models' own rules, all faults at once.
 * What a model has a field for becomes a value; everything else is kept in the items' extra, so that
 * `buildResume` gives back what was read.
 */
export function readResume(
  sections: Sections,
  given: JsonValue,
  files: FileFacts,
): { resume: Resume; faults: readonly Fault[] } {
  const document = removeAt(given, findBlankPaths(given));
  const storageFaults = findStorageFaults(given);
  const root = isJsonObject(document) && storageFaults.length === 0 ? document : {};
  const read = mapSections(sections, (section) => readSection(sections, section, root, files));
  const firstFaults = [...storageFaults, ...findSchemaFaults(document)];
  const seen = new Set(firstFaults.map((fault) => JSON.stringify(fault.path)));
  const ownFaults = [...read.values()]
    .flatMap((items) => items.flatMap((item) => item.faults))
    .filter((fault) => !seen.has(JSON.stringify(fault.path)));
  const resume = new Map([...read].map(([section, items]) => [section, items.map(({ item }) => item)]));
  return { resume, faults: [...firstFaults, ...ownFaults] };
}
