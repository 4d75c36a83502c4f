import type { Control } from "#contract/models.ts";
import type { ControlDefinition } from "./control.ts";
import { file } from "./file.tsx";
import { localizedList, localizedText, localizedTextarea } from "./localized.tsx";
import { datetime, json, number, toggle } from "./plain.tsx";
import { relation } from "./relation.tsx";
import { email, partialDate, text, textarea, url } from "./text.tsx";

/** Every control that the server may name, and what draws it. A name of the contract without an entry doesn't compile. */
export const CONTROLS: Readonly<Record<Control, ControlDefinition>> = {
  text,
  textarea,
  "localized-text": localizedText,
  "localized-textarea": localizedTextarea,
  "localized-list": localizedList,
  number,
  switch: toggle,
  "partial-date": partialDate,
  datetime,
  email,
  url,
  file,
  json,
  relation,
};
