import type { Control } from "#contract/models.ts";
import { choice, choices } from "./choice.tsx";
import { colour } from "./colour.tsx";
import type { ControlDefinition } from "./control.ts";
import { date, datetime, partialDate } from "./date.tsx";
import { decimal } from "./decimal.tsx";
import { file } from "./file.tsx";
import { integer } from "./integer.tsx";
import { json } from "./json.tsx";
import { localizedList, localizedText, localizedTextarea } from "./localized.tsx";
import { localizedMarkdown, markdown } from "./markdown.tsx";
import { toggle } from "./plain.tsx";
import { readOnly } from "./read-only.tsx";
import { relation, relations } from "./relation.tsx";
import { slug } from "./slug.tsx";
import { email, text, textarea, url } from "./text.tsx";

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
