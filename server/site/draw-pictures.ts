import { FILE_PREFIX, findFileKeys, parseFileAddress } from "#server/models/kinds/file.ts";
import { type DrawnSize, getPagePictures, type PictureService } from "#server/pictures/service.ts";

/** As micromark writes a picture; what the author wrote as HTML is text by then. */
const PICTURE = /<img src="([^"]*)" alt="([^"]*)"(?: title="[^"]*")? \/>/g;

/** The column of a page of text (src/site/text-page/text-page.css). */
const SIZES = "(width < 42rem) calc(100vw - 2rem), 40rem";

type Size = DrawnSize | "away";
type Sizes = ReadonlyMap<string, Size>;

/** One after the other: what has to be drawn first is drawn for one page at a time. */
async function readSizes(html: string, getSize: PictureService["getDrawnSize"]): Promise<Sizes> {
  const sizes = new Map<string, Size>();
  for (const key of findFileKeys(html)) {
    const size = await getSize(key);
    if (size) sizes.set(key, size);
  }
  return sizes;
}

function toPicture(key: string, size: Size, alt: string, isFirst: boolean): string {
  const file = `${FILE_PREFIX}${key}`;
  // The page is kept longer than its files are away: the picture is there again by then, only its place isn't known before.
  if (size === "away") return `<img src="${file}" alt="${alt}" loading="lazy" decoding="async" />`;
  const { width, height, hasCopies } = size;
  const copies = hasCopies ? getPagePictures(file) : [];
  const own = copies.find((copy) => copy.width >= width);
  // A small picture is never enlarged: its copies are all the same.
  const srcSet =
    own?.width === width
      ? ` srcset="${copies.map((copy) => `${copy.src} ${copy.width}w`).join(", ")}" sizes="${SIZES}"`
      : "";
  // The first one is often seen at once, and then it is what a visitor waits for.
  const loading = isFirst ? "" : ' loading="lazy"';
  return `<img src="${own?.src ?? file}"${srcSet} width="${width}" height="${height}" alt="${alt}"${loading} decoding="async" />`;
}

/**
 * HTML of Markdown as pages show it: in it HTML of the author is text already, and addresses like `javascript:` are dropped.
 * Pictures are files of this site, in the copies that fit, with the place that they take; of all others, and of files that are
 * gone, the text that describes them stays: a visitor's browser asks nobody else.
 */
export async function drawPictures(html: string, getSize: PictureService["getDrawnSize"]): Promise<string> {
  const sizes = await readSizes(html, getSize);
  let isFirst = true;
  return html.replace(PICTURE, (_whole, src: string, alt: string) => {
    const key = parseFileAddress(src);
    const size = key && sizes.get(key);
    if (!size) return alt;
    const picture = toPicture(key, size, alt, isFirst);
    isFirst = false;
    return picture;
  });
}
