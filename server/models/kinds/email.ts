import * as z from "zod/mini";
import { LIMITS } from "#contract/limits.ts";
import type { FieldKind } from "../model.ts";
import { text } from "./text.ts";

/** An e-mail address. */
export const email: FieldKind = {
  ...text,
  name: "email",
  wireType: "EmailField",
  control: "email",
  valueSchema: () => z.string().check(z.trim(), z.maxLength(LIMITS.emailMaxChars), z.email()),
};
