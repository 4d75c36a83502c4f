import type { Fault } from "./faults.ts";
import { type FileFacts, fromCertificateAddresses } from "./file-address.ts";
import type { Item, Resume, Value } from "./item.ts";
import { getAt, isJsonObject, type JsonObject, type JsonPath, type JsonValue, omitAt } from "./json.ts";
import { findBlankPaths, findSchemaFaults } from "./official-schema.ts";
import { readValue } from "./read-value.ts";
import { removeAt } from "./remove-at.ts";
import { type MappedField, mapSections, SECTIONS, type Section } from "./sections.ts";
import { findStorageFaults } from "./storable-json.ts";

/** What exports name when a file named no schema; never stored. */
export const DEFAULT_SCHEMA = "https://raw.githubusercontent.com/jsonresume/resume-schema/v1.0.0/schema.json";

/** Where an item of a section stands in the file. */
export function toItemPath(section: Section, index: number): JsonPath {
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
function toProfileObject(document: JsonObject): JsonObject {
  const named = document.$schema === DEFAULT_SCHEMA ? omitAt(document, ["$schema"]) : document;
  return SECTIONS.reduce((left, section) => (section.listAt ? omitAt(left, section.listAt) : left), named);
}

function readSection(section: Section, document: JsonObject, files: FileFacts) {
  if (!section.listAt) return [readItem(section, toProfileObject(document), [], files)];
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
export function readResume(given: JsonValue, files: FileFacts): { resume: Resume; faults: readonly Fault[] } {
  const document = removeAt(given, findBlankPaths(given));
  const storageFaults = findStorageFaults(given);
  const root = isJsonObject(document) && storageFaults.length === 0 ? document : {};
  const read = mapSections((section) => readSection(section, root, files));
  const firstFaults = [...storageFaults, ...findSchemaFaults(document)];
  const seen = new Set(firstFaults.map((fault) => JSON.stringify(fault.path)));
  const ownFaults = Object.values(read)
    .flatMap((items) => items.flatMap((item) => item.faults))
    .filter((fault) => !seen.has(JSON.stringify(fault.path)));
  const resume = mapSections((section) => read[section.name].map(({ item }) => item));
  return { resume, faults: [...firstFaults, ...ownFaults] };
}
