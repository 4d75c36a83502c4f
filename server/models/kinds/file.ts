import * as z from "zod/mini";
import type { FieldKind } from "../model.ts";

/** Where stored files are served. The rest of the address is the key: content hash and ending. */
export const FILE_PREFIX = "/files/";
const FILE_ADDRESS = /^\/files\/([0-9a-f]{32}\.[a-z0-9]{1,5})$/;

/** The key inside `/files/<key>`, undefined when the address is none of ours. */
export function parseFileAddress(address: string): string | undefined {
  return FILE_ADDRESS.exec(address)?.[1];
}

/** Media types of pictures that pages show in smaller copies. */
export const PICTURE_TYPES: readonly string[] = ["image/png", "image/jpeg", "image/webp", "image/svg+xml"];

/** Keys of all stored files that a text names by their address, each once: a picture in Markdown is in use as one in a field is. */
export function findFileKeys(text: string): string[] {
  const found = text.matchAll(/\/files\/([0-9a-f]{32}\.[a-z0-9]{1,5})(?![a-z0-9])/g);
  return [...new Set(Array.from(found, ([, key = ""]) => key))];
}

const fileAddress = z.string().check(z.regex(FILE_ADDRESS));

/** A stored file: the column holds its key, the wire its address. The foreign key refuses files that don't exist. */
export const kind: FieldKind = {
  name: "file",
  formatFault: "invalid_file",
  holdsFile: true,
  wireType: "FileField",
  control: "file",
  columnTypes: ["text"],
  operators: ["isnull"],
  isSortable: false,
  valueSchema: () => fileAddress,
  isEmpty: (value) => value === "",
  toParameter: (value) => parseFileAddress(String(value)),
  parameterCast: "::text",
  readSql: (column) => `'${FILE_PREFIX}' || ${column}`,
  textSql: (column) => column,
  sortSql: (column) => column,
  filterSql: () => undefined,
  exportColumns: (column, field) => [
    { header: field.name, sql: `'${FILE_PREFIX}' || ${column}`, free: false },
  ],
};
