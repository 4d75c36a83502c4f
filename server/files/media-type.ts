import { fileTypeFromBuffer } from "file-type";

/** Types that are stored at all, with the ending of their keys. What they may be used for, each field says. */
export const ENDINGS: Readonly<Record<string, string>> = {
  "image/png": "png",
  "image/jpeg": "jpg",
  "image/webp": "webp",
  "image/avif": "avif",
  "image/svg+xml": "svg",
  "application/pdf": "pdf",
};

/** The type that a key's ending stands for. */
export function getMediaType(key: string): string | undefined {
  const ending = key.slice(key.lastIndexOf(".") + 1);
  return Object.keys(ENDINGS).find((type) => ENDINGS[type] === ending);
}

/** An XML document whose root is `svg`, after its declaration, comments and document type. */
const SVG = /^\uFEFF?\s*(<\?xml[^>]*\?>\s*)?((<!--[\s\S]*?-->|<!DOCTYPE[^>[]*(\[[^\]]*\])?>)\s*)*<svg[\s>]/i;

/** The type of a file by its bytes, never by its name; undefined when it is none of ours. */
export async function detectMediaType(content: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(content);
  if (found && found.mime in ENDINGS) return found.mime;
  if (found && found.mime !== "application/xml") return undefined;
  const head = new TextDecoder().decode(content.subarray(0, 4096));
  return SVG.test(head) ? "image/svg+xml" : undefined;
}
