import type { FieldKind } from "../model.ts";
import { kind as localizedText } from "./localized-text.ts";

/** A text of several lines in both languages. */
export const kind: FieldKind = {
  ...localizedText,
  name: "localized_long_text",
  wireType: "LocalizedTextField",
  control: "localized-textarea",
};
