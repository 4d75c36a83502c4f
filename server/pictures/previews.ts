import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { createSharedWork } from "#server/base/limits.ts";
import { parseFileAddress } from "#server/models/kinds/file.ts";
import type { Drawer } from "./drawer.ts";
import type { PreviewJob } from "./job.ts";
import type { Thumbnails } from "./thumbnails.ts";

/** Raised when previews are drawn otherwise than before, so that their addresses change. */
const DESIGN = 2;
const VERSION_CHARS = 12;
const PORTRAIT_WIDTH = 768;
/** Both languages of what the CV says now and said a few changes ago, 60 kB each. */
const MAX_CACHED = 8;

/** What a preview picture says and shows; the photo is the address of a stored file. */
export type PreviewContent = Omit<PreviewJob, "kind"> & { photo: string | null };

export interface Previews {
  /** A JPEG; undefined when it can't be drawn. A photo that can't is left out. */
  draw(content: PreviewContent): Promise<Uint8Array | undefined>;
}

/** Another one whenever the picture would be another one. */
export function getPreviewVersion(content: PreviewContent): string {
  const { lang, name, title, tagline, place, photo, accent, fonts, shape } = content;
  const drawn = JSON.stringify([DESIGN, lang, name, title, tagline, place, photo, accent, fonts, shape]);
  return createHash("sha256").update(drawn).digest("base64url").slice(0, VERSION_CHARS);
}

export function createPreviews({ thumbnails, drawer }: { thumbnails: Thumbnails; drawer: Drawer }): Previews {
  const cached = new LRUCache<string, Uint8Array>({ max: MAX_CACHED });
  const drawings = createSharedWork<Uint8Array | undefined>();

  /** The photo's thumbnail stands for the photo: it is small, and what is broken or hostile has failed there already. */
  async function preparePortrait(photo: string | null): Promise<string | undefined> {
    const key = parseFileAddress(photo ?? "");
    return key !== undefined && (await thumbnails.make(key, PORTRAIT_WIDTH)) ? key : undefined;
  }

  return {
    async draw(content) {
      const version = getPreviewVersion(content);
      const known = cached.get(version);
      if (known) return known;
      return drawings.run(version, undefined, async () => {
        const { photo, ...texts } = content;
        const portrait = await preparePortrait(photo);
        const openInput = async () => (portrait ? thumbnails.open(portrait, PORTRAIT_WIDTH) : undefined);
        const picture = await drawer.draw(version, { kind: "preview", ...texts }, openInput);
        if (picture) cached.set(version, picture);
        return picture;
      });
    },
  };
}
