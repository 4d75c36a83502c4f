import type { FieldKind } from "../model.ts";
import { kind as longText } from "./long-text.ts";

/** A text of several lines that is shown as Markdown. */
export const kind: FieldKind = { ...longText, name: "markdown", control: "markdown", embedsPictures: true };
