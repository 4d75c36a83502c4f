import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";
import { toFileKey } from "#server/files/service.ts";

const FOLDER = join(import.meta.dirname, "files");

const MEDIA_TYPES: Readonly<Record<string, string>> = {
  ".jpg": "image/jpeg",
  ".pdf": "application/pdf",
  ".png": "image/png",
  ".svg": "image/svg+xml",
};

/** A file of the sample content, as an upload would be stored. */
export interface ShippedFile {
  key: string;
  name: string;
  mediaType: string;
  content: Buffer;
}

/** Reads a file of `server/sample/files`. Its key is the one that an upload of the same bytes gets. */
export async function readShippedFile(name: string): Promise<ShippedFile> {
  const content = await readFile(join(FOLDER, name));
  const mediaType = MEDIA_TYPES[extname(name)];
  if (!mediaType) throw new Error(`${name} is of no type that sample content has`);
  return { key: toFileKey(content, mediaType), name, mediaType, content };
}
