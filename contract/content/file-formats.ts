import type { Language } from "#contract/languages.ts";

/** What people call the media types that can be stored. */
const FORMATS: Readonly<Record<string, string>> = {
  "image/jpeg": "JPEG",
  "image/png": "PNG",
  "image/webp": "WebP",
  "image/avif": "AVIF",
  "image/svg+xml": "SVG",
  "application/pdf": "PDF",
};

/** "JPEG, PNG or PDF": media types in words. */
export function nameFormats(types: readonly string[], lang: Language): string {
  return new Intl.ListFormat(lang, { type: "disjunction" }).format(
    types.map((type) => FORMATS[type] ?? type),
  );
}

/** Formats that people choose and that no field takes, with the endings and media types that they go by. */
const FOREIGN = [
  { format: "HEIC", endings: "heic heif hif", types: /^image\/hei[cf]/ },
  { format: "TIFF", endings: "tif tiff", types: /^image\/tiff$/ },
  { format: "BMP", endings: "bmp", types: /^image\/(x-ms-)?bmp$/ },
  { format: "GIF", endings: "gif", types: /^image\/gif$/ },
  { format: "JPEG XL", endings: "jxl", types: /^image\/jxl$/ },
  {
    format: "RAW",
    endings: "cr2 cr3 nef arw dng raf orf",
    types: /^image\/x-(canon|nikon|sony|adobe|fujifilm|olympus)/,
  },
  { format: "Photoshop", endings: "psd", types: /photoshop/ },
  { format: "Word", endings: "doc docx", types: /msword|wordprocessingml/ },
  { format: "Excel", endings: "xls xlsx", types: /ms-excel|spreadsheetml/ },
  { format: "PowerPoint", endings: "ppt pptx", types: /ms-powerpoint|presentationml/ },
  { format: "OpenDocument", endings: "odt ods odp", types: /oasis\.opendocument/ },
  { format: "ZIP", endings: "zip", types: /^application\/(x-)?zip/ },
  { format: "MP4", endings: "mp4 m4v mov", types: /^video\/(mp4|quicktime|x-m4v)/ },
] as const;

/**
 * The format of a file that is known and can't be taken, by its media type, else by the ending of its name; undefined for others.
 * HEIC has words of its own: the photos of iPhones are in it.
 */
export function findForeignFormat({ type, name }: { type?: string; name?: string }): string | undefined {
  const ending = /\.([a-z0-9]+)$/i.exec(name ?? "")?.[1]?.toLowerCase() ?? "";
  const byType = type ? FOREIGN.find(({ types }) => types.test(type)) : undefined;
  return (byType ?? FOREIGN.find(({ endings }) => endings.split(" ").includes(ending)))?.format;
}
