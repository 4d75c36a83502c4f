import type { FieldKind } from "../model.ts";
import { kind as colour } from "./colour.ts";

/** A colour that pages show in shades of it which can be read (contract/site/accent.ts): its control says which. */
export const kind: FieldKind = { ...colour, name: "accent", control: "accent" };
