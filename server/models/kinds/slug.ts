import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";
import { kind as text } from "./text.ts";

const SLUG = /^[a-z0-9]+(?:-[a-z0-9]+)*$/;
const MAX_CHARS = 100;

/** Part of an address: lower-case letters of ASCII, digits, single hyphens. */
export const kind: FieldKind = {
  ...text,
  name: "slug",
  wireType: "SlugField",
  control: "slug",
  formatFault: "invalid_slug",
  valueSchema: (field) =>
    z.string().check(z.trim(), z.maxLength(field.maxLength ?? MAX_CHARS), z.regex(SLUG)),
  sortSql: (column) => column,
  exportColumns: (column, field) => [{ header: field.name, sql: column, free: false }],
};
