import { createHash } from "node:crypto";
import { toShades } from "#contract/site/accent.ts";
import type { Look } from "#contract/site/site.ts";
import { createSharedWork } from "#server/base/limits.ts";
import type { FileService } from "#server/files/service.ts";
import type { Drawer } from "./drawer.ts";
import type { IconJob } from "./job.ts";
import type { PictureStorage } from "./thumbnails.ts";

/** Raised when icons are drawn otherwise than before, so that their addresses change. */
const DESIGN = 1;
const VERSION_CHARS = 12;
const NAME_HASH_CHARS = 32;

/** Where browsers and home screens look for icons; those that home screens cut go to the edges. */
export const ICONS = {
  "favicon.ico": { format: "ico", size: 32, isSquare: false, mediaType: "image/x-icon" },
  "favicon.svg": { format: "svg", size: 32, isSquare: false, mediaType: "image/svg+xml" },
  "apple-touch-icon.png": { format: "png", size: 180, isSquare: true, mediaType: "image/png" },
  "icon-192.png": { format: "png", size: 192, isSquare: false, mediaType: "image/png" },
  "icon-512.png": { format: "png", size: 512, isSquare: true, mediaType: "image/png" },
} as const satisfies Record<string, Pick<IconJob, "format" | "size" | "isSquare"> & { mediaType: string }>;
type IconName = keyof typeof ICONS;

/** What an icon shows: whose it is, and the look. */
export type IconContent = Pick<Look, "accent" | "fonts"> & { name: string };

/** Letters that the product's fonts have. */
const DRAWN = /^[A-Za-zÀ-ÖØ-öø-ÿĞğİıŞş0-9]$/;

/** As a font has it; of a letter with a mark that none has, the letter. Nothing of another script. */
function toDrawn(word: string): string {
  const [first = ""] = word.normalize("NFC");
  const [base = ""] = first.normalize("NFD");
  return [first, base].find((letter) => DRAWN.test(letter)) ?? "";
}

/** Of the first and the last word of a name, as they are written; empty where nothing of it can be drawn. */
export function toIconLetters(name: string): string {
  const words = name.split(/\s+/).filter((word) => /^[\p{L}\p{N}]/u.test(word));
  return [...words.slice(0, 1), ...words.slice(1).slice(-1)].map(toDrawn).join("");
}

/** Another one whenever the icons would be others. */
export function getIconVersion({ name, accent, fonts }: IconContent): string {
  const drawn = JSON.stringify([DESIGN, toIconLetters(name), accent, fonts]);
  return createHash("sha256").update(drawn).digest("base64url").slice(0, VERSION_CHARS);
}

type Stored = NonNullable<Awaited<ReturnType<FileService["open"]>>>;

export interface Icons {
  /** Where browsers and home screens look for them. */
  names: readonly IconName[];
  /** Drawn when it is first asked for. Undefined: it can't be drawn. @throws AppError unavailable when too many wait. */
  open(content: IconContent, icon: IconName): Promise<(Stored & { mediaType: string }) | undefined>;
  /** Another text whenever the icons would be others. */
  getVersion(content: IconContent): string;
}

export function createIcons({ storage, drawer }: { storage: PictureStorage; drawer: Drawer }): Icons {
  const drawings = createSharedWork<void>();
  return {
    names: Object.keys(ICONS) as IconName[], // the table's own keys
    getVersion: getIconVersion,
    async open(content, icon) {
      const { mediaType, ...form } = ICONS[icon];
      const source = `${icon} ${getIconVersion(content)}`;
      const hash = createHash("sha256").update(source).digest("hex").slice(0, NAME_HASH_CHARS);
      const stored = `${hash}.${form.format}`;
      const known = await storage.open(stored);
      if (known) return { ...known, mediaType };
      await drawings.run(stored, undefined, async () => {
        const { accent: ground, on: ink } = toShades(content.accent).light;
        const letters = toIconLetters(content.name);
        const job = { kind: "icon", ...form, letters, fonts: content.fonts, ground, ink } as const;
        const picture = await drawer.draw(source, job, async () => undefined);
        if (picture) await storage.put(stored, picture);
      });
      const drawn = await storage.open(stored);
      return drawn && { ...drawn, mediaType };
    },
  };
}
