import type { Language } from "#contract/languages.ts";
import { type Fault, isUri, RESUME_SCHEMA } from "./faults.ts";
import { type FileFacts, findFileKeys, toCertificateAddresses, toFileAddress } from "./file-address.ts";
import { type CvState, type Item, pickResume, type Resume, type Value } from "./item.ts";
import { isJsonObject, type JsonObject, type JsonValue, orderKeys, removeAt, setAt } from "./json.ts";
import { DEFAULT_SCHEMA, readResume } from "./read-resume.ts";
import type { MappedField, Section, Sections } from "./sections.ts";

/** The admin takes `https://örnek.com/ş`, RFC 3986 doesn't: such an address is written in its ASCII form. */
function toUri(address: string): string {
  if (isUri(address)) return address;
  const ascii = URL.parse(address)?.href ?? address;
  return ascii.replaceAll(/[^\w\-.~:/?#[\]@!$&'()*+,;=%]/g, (character) => encodeURIComponent(character));
}

function toJson(field: MappedField, value: NonNullable<Value>, files: FileFacts): JsonValue {
  if (typeof value !== "string") return [...value];
  if (field.field.kind.holdsFile) return toFileAddress(value, files);
  return field.field.kind.name === "url" ? toUri(value) : value;
}

function buildItem(section: Section, item: Item, files: FileFacts): JsonObject {
  const { values, extra } = section.name === "certificates" ? toCertificateAddresses(item, files) : item;
  return section.fields.reduce((object, field) => {
    const value = values[field.column] ?? null;
    return value === null ? object : setAt(object, field.key, toJson(field, value, files));
  }, extra);
}

/** The document of a CV: absent where null, keys in the schema's order. The opposite of `readResume`. */
function buildResume(resume: Resume, files: FileFacts): JsonObject {
  let document: JsonObject = {};
  for (const [section, items] of resume) {
    const objects = items.map((item) => buildItem(section, item, files));
    if (!section.listAt) document = { $schema: DEFAULT_SCHEMA, ...objects[0] };
    else if (objects.length > 0) document = setAt(document, section.listAt, objects);
  }
  const ordered = orderKeys(document, RESUME_SCHEMA);
  return isJsonObject(ordered) ? ordered : document;
}

/** Each round leaves out or moves what the one before uncovered; real states need two. */
const MAX_ROUNDS = 100;

const toPath = (fault: Fault) => fault.path;

/** Keys of stored files that the CV of a language may speak of: what `FileFacts` must cover. */
export function findExportedKeys(sections: Sections, state: CvState, lang: Language): string[] {
  const files: FileFacts = { origin: undefined, mediaTypes: new Map() };
  return findFileKeys(JSON.stringify(buildResume(pickResume(sections, state, lang), files)));
}

/**
 * The CV of a language as an import would read it. What the importer refuses is left out: the admin takes a year 3000,
 * an `extra` of any shape and an e-mail address that the official schema doesn't know. Reading and building go on until
 * neither changes anything: that is what makes export → import → export the same bytes, whatever the rows hold.
 */
export function toExportedResume(
  sections: Sections,
  state: CvState,
  lang: Language,
  files: FileFacts,
): Resume {
  let document: JsonValue = buildResume(pickResume(sections, state, lang), files);
  for (let round = 0; round < MAX_ROUNDS; round++) {
    const { resume, faults } = readResume(sections, document, files);
    const next: JsonValue =
      faults.length === 0 ? buildResume(resume, files) : removeAt(document, faults.map(toPath));
    if (faults.length === 0 && JSON.stringify(next) === JSON.stringify(document)) return resume;
    document = next;
  }
  throw new Error("the CV can't be written as a valid file");
}

/** A JSON Resume 1.x file of the CV in a language. */
export function toResume(sections: Sections, state: CvState, lang: Language, files: FileFacts): string {
  return `${JSON.stringify(buildResume(toExportedResume(sections, state, lang, files), files), null, 2)}\n`;
}
