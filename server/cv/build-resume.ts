import { type FileFacts, toCertificateAddresses, toFileAddress } from "./file-address.ts";
import type { Item, Resume, Value } from "./item.ts";
import { isJsonObject, type JsonObject, type JsonValue, setAt } from "./json.ts";
import { isUri, RESUME_SCHEMA } from "./official-schema.ts";
import { orderKeys } from "./order-keys.ts";
import { DEFAULT_SCHEMA } from "./read-resume.ts";
import { type MappedField, SECTIONS, type Section } from "./sections.ts";

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
export function buildResume(resume: Resume, files: FileFacts): JsonObject {
  let document: JsonObject = {};
  for (const section of SECTIONS) {
    const objects = resume[section.name].map((item) => buildItem(section, item, files));
    if (!section.listAt) document = { $schema: DEFAULT_SCHEMA, ...objects[0] };
    else if (objects.length > 0) document = setAt(document, section.listAt, objects);
  }
  const ordered = orderKeys(document, RESUME_SCHEMA);
  return isJsonObject(ordered) ? ordered : document;
}
