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

/** What may stand before the root of an XML document, one at a time: each fails or matches in one pass. */
const PROLOG_PARTS = [/\s+/y, /<\?xml[^>]*\?>/iy, /<!--[\s\S]*?-->/y, /<!DOCTYPE[^>[]*(?:\[[^\]]*\])?>/iy];
const SVG_ROOT = /<svg[\s>]/iy;

/**
 * Whether a text is an XML document whose root is `svg`. Part by part, because one expression for a sequence of comments
 * tries every way to split them: 4 kB of `<!-- -->` held the process for minutes.
 */
function isSvg(text: string): boolean {
  const matchAt = (part: RegExp, index: number) => {
    part.lastIndex = index;
    return part.exec(text)?.[0].length ?? 0;
  };
  let at = 0;
  for (let length = -1; length !== 0; at += length) {
    length = PROLOG_PARTS.map((part) => matchAt(part, at)).find((found) => found > 0) ?? 0;
  }
  return matchAt(SVG_ROOT, at) > 0;
}

/** The type of a file by its bytes, never by its name; undefined when it is none of ours. */
export async function detectMediaType(content: Uint8Array): Promise<string | undefined> {
  const found = await fileTypeFromBuffer(content);
  if (found && found.mime in ENDINGS) return found.mime;
  if (found && found.mime !== "application/xml") return undefined;
  const head = new TextDecoder().decode(content.subarray(0, 4096));
  return isSvg(head) ? "image/svg+xml" : undefined;
}
