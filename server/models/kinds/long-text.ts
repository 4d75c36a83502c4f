import type { FieldKind } from "../model.ts";
import { text } from "./text.ts";

/** A text of several lines. */
export const longText: FieldKind = { ...text, name: "long_text", wireType: "TextField", control: "textarea" };
