import type { Control } from "#contract/models.ts";
import { decimal } from "../form/controls/decimal.tsx";
import { file } from "../form/controls/file.tsx";
import { json } from "../form/controls/json.tsx";
import { localizedMarkdown, markdown } from "../form/controls/markdown.tsx";
import { readOnly } from "../form/controls/read-only.tsx";
import { slug } from "../form/controls/slug.tsx";
import { choice, choices } from "./choice.tsx";
import { colour } from "./colour.tsx";
import type { ControlDefinition } from "./control.tsx";
import { date, datetime, partialDate } from "./date.tsx";
import { localizedList, localizedText, localizedTextarea } from "./localized.tsx";
import { integer } from "./number.tsx";
import { toggle } from "./plain.tsx";
import { relation, relations } from "./relation.tsx";
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
