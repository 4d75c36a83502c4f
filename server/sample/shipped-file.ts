import { createHash } from "node:crypto";
import { readFile } from "node:fs/promises";
import { extname, join } from "node:path";

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
  const hash = createHash("sha256").update(content).digest("hex").slice(0, 32);
  const ending = extname(name);
  const mediaType = MEDIA_TYPES[ending];
  if (!mediaType) throw new Error(`${name} is of no type that sample content has`);
  return { key: `${hash}${ending}`, name, mediaType, content };
}
