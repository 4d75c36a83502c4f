import * as z from "zod/mini";
import { LIMITS } from "#contract/limits.ts";
import type { FieldKind } from "../model.ts";
import { kind as text } from "./text.ts";

/** An e-mail address. */
export const kind: FieldKind = {
  ...text,
  name: "email",
  formatFault: "invalid_email",
  wireType: "EmailField",
  control: "email",
  valueSchema: () => z.string().check(z.trim(), z.maxLength(LIMITS.emailMaxChars), z.email()),
};
