import type { FieldKind } from "../model.ts";
import { kind as localizedLongText } from "./localized-long-text.ts";

/** A text of several lines in both languages that is shown as Markdown. */
export const kind: FieldKind = {
  ...localizedLongText,
  name: "localized_markdown",
  control: "localized-markdown",
  embedsPictures: true,
};
