import type { Control, ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { choice, choices } from "./choice.tsx";
import { colour } from "./colour.tsx";
import type { ControlDefinition } from "./control.tsx";
import { date, datetime, partialDate } from "./date.tsx";
import { file } from "./file.tsx";
import { json } from "./json.tsx";
import { localizedList, localizedText, localizedTextarea } from "./localized.tsx";
import { localizedMarkdown, markdown } from "./markdown.tsx";
import { decimal, integer } from "./number.tsx";
import { readOnly, toggle } from "./plain.tsx";
import { relation, relations } from "./relation.tsx";
import { email, slug, text, textarea, url } from "./text.tsx";

/** Every control that the server may name, and what draws it. A name of the contract without an entry doesn't compile. */
export const CONTROLS: Readonly<Record<Control, ControlDefinition>> = {
  text,
  textarea,
  "localized-text": localizedText,
  "localized-textarea": localizedTextarea,
  "localized-list": localizedList,
  markdown,
  "localized-markdown": localizedMarkdown,
  decimal,
  date,
  choice,
  choices,
  colour,
  slug,
  image: file,
  relations,
  "read-only": readOnly,
  number: integer,
  switch: toggle,
  "partial-date": partialDate,
  datetime,
  email,
  url,
  file,
  json,
  relation,
};

/** What the inputs hold, by field. */
export type Inputs = Record<string, unknown>;

function writableFields(model: RecordSource) {
  return model.fields.filter((field) => !field.read_only);
}

/** The inputs of a record, or of a new one. */
export function toInputs(model: RecordSource, record: ModelRecord | null): Inputs {
  const values = record ?? model.defaults;
  return Object.fromEntries(
    writableFields(model).map((field) => [field.name, CONTROLS[field.control].toInput(values?.[field.name])]),
  );
}

/** Names of the fields whose input differs from the last saved one. Typing something and undoing it is no change. */
export function changedFields(model: RecordSource, saved: Inputs, current: Inputs): string[] {
  return writableFields(model)
    .map((field) => field.name)
    .filter((name) => JSON.stringify(saved[name]) !== JSON.stringify(current[name]));
}

/** The body of a write: the named fields only, so that a PATCH never writes back what somebody else changed meanwhile. */
export function toBody(
  model: RecordSource,
  inputs: Inputs,
  names: readonly string[],
): Record<string, unknown> {
  return Object.fromEntries(
    writableFields(model)
      .filter((field) => names.includes(field.name))
      .map((field) => [field.name, CONTROLS[field.control].toWire(inputs[field.name], field)]),
  );
}
