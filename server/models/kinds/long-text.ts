import type { FieldKind } from "../model.ts";
import { kind as text } from "./text.ts";

/** A text of several lines. */
export const kind: FieldKind = { ...text, name: "long_text", wireType: "TextField", control: "textarea" };
