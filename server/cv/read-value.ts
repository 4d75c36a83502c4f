import { isCalendarDate } from "#contract/partial-date.ts";
import type { Fault } from "./faults.ts";
import { type FileFacts, findStoredKey } from "./file-address.ts";
import type { Value } from "./item.ts";
import type { JsonValue } from "./json.ts";
import { EXPECTED_DATE, EXPECTED_EMAIL, isSchemaEmail, isUri } from "./official-schema.ts";
import { toList, toText } from "./parse-row.ts";
import type { MappedField } from "./sections.ts";

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
  return text.length > max ? [{ path, expected: `at most ${max} characters, not ${text.length}` }] : [];
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
    isTooLong ? [...faults, { path: [], expected: `at most ${MAX_LIST_ITEMS} entries` }] : faults,
  );
}

/** Reads one value by the rules that the admin's form has for the field. */
export function readValue(field: MappedField, given: JsonValue, files: FileFacts): Reading {
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
        : toReading(null, [{ path: [], expected: EXPECTED_EMAIL, found: given }]);
    case "partial_date":
      return isCalendarDate(text)
        ? toReading(text, [])
        : toReading(null, [{ path: [], expected: `${EXPECTED_DATE} that the calendar has`, found: given }]);
    default:
      return toReading(text, findTooLong(field, text, []));
  }
}
