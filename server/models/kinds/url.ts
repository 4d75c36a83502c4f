import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";
import { kind as text } from "./text.ts";

const MAX_URL_CHARS = 2048;

/** An absolute http or https address: it ends in an `href`, so no other scheme may pass. */
export const kind: FieldKind = {
  ...text,
  name: "url",
  wireType: "URLField",
  control: "url",
  valueSchema: () =>
    z.string().check(z.trim(), z.maxLength(MAX_URL_CHARS), z.refine(isWebAddress, { error: "invalid_url" })),
};

function isWebAddress(value: unknown): boolean {
  // The parser drops line breaks and tabs and escapes blanks; what is stored goes out as it is.
  if (typeof value !== "string" || /[\s\p{Cc}\p{Cs}]/u.test(value) || !URL.canParse(value)) return false;
  const { protocol } = new URL(value);
  return protocol === "http:" || protocol === "https:";
}
