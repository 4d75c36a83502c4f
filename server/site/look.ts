import { createHash } from "node:crypto";
import { DEFAULT_ACCENT, toAccentTokens } from "#contract/site/accent.ts";
import {
  FONT_PAIRS,
  type FontPair,
  type Look,
  PICTURE_SHAPES,
  type PictureShape,
} from "#contract/site/site.ts";
import type { LookTags } from "#server/http/pages/pages.ts";

/** That of the product. */
export const DEFAULT_LOOK: Look = { accent: DEFAULT_ACCENT, fonts: "newsreader", picture_shape: "rounded" };

const COLOUR = /^#[0-9a-f]{6}$/;

/** A row that something else than the console wrote, or a newer version, may hold anything: what isn't known is as by default. */
export function toLook(row: Look | null): Look {
  if (!row) return DEFAULT_LOOK;
  const { accent, fonts, picture_shape } = row;
  return {
    accent: COLOUR.test(accent) ? accent : DEFAULT_LOOK.accent,
    fonts: FONT_PAIRS.includes(fonts) ? fonts : DEFAULT_LOOK.fonts,
    picture_shape: PICTURE_SHAPES.includes(picture_shape) ? picture_shape : DEFAULT_LOOK.picture_shape,
  };
}

/**
 * Space Grotesk SemiBold, Latin and Turkish letters only (public/fonts/space-grotesk-license.txt), and what stands in for it with its
 * height and average width, as in src/ui/fonts.css: Windows, macOS and iOS; Android; Linux. A test computes the numbers.
 */
const GROTESK_FACES = `@font-face{font-family:"Space Grotesk";src:url("/fonts/grotesk.woff2")format("woff2");font-weight:600;font-display:optional}
@font-face{font-family:"Grotesk as Arial";src:local("Arial Bold"),local("Arial-BoldMT"),local("Liberation Sans Bold"),local("LiberationSans-Bold");font-weight:600;size-adjust:99.4%;ascent-override:99%;descent-override:29.4%;line-gap-override:0%}
@font-face{font-family:"Grotesk as Roboto";src:local("Roboto Bold"),local("Roboto-Bold");font-weight:600;size-adjust:105.8%;ascent-override:93%;descent-override:27.6%;line-gap-override:0%}
@font-face{font-family:"Grotesk as DejaVu";src:local("DejaVu Sans Bold"),local("DejaVuSans-Bold");font-weight:600;size-adjust:84.2%;ascent-override:116.9%;descent-override:34.7%;line-gap-override:0%}
`;

interface FontFiles {
  /** Fetched with the page's styles, so that its headings are drawn in it at once; undefined: none is needed. */
  preload?: string;
  faces?: string;
  /** Value of `--font-heading`; undefined: that of src/ui/tokens.css. */
  heading?: string;
}

const FONTS: Readonly<Record<FontPair, FontFiles>> = {
  newsreader: { preload: "/fonts/heading.woff2" },
  grotesk: {
    preload: "/fonts/grotesk.woff2",
    faces: GROTESK_FACES,
    heading: '"Space Grotesk","Grotesk as Arial","Grotesk as Roboto","Grotesk as DejaVu",sans-serif',
  },
  system: { heading: "var(--font-body)" },
};

/** Values of `--picture-radius`; undefined: that of src/ui/tokens.css. */
const RADII: Readonly<Record<PictureShape, string | undefined>> = {
  rounded: undefined,
  circle: "50%",
  square: "0",
};

/** The style sheet that makes the product's look the owner's; empty where nothing differs. */
export function buildLookStyle({ accent, fonts, picture_shape }: Look): string {
  const { heading, faces = "" } = FONTS[fonts];
  const tokens = {
    ...(accent !== DEFAULT_ACCENT && toAccentTokens(accent)),
    ...(heading && { "font-heading": heading }),
    ...(RADII[picture_shape] && { "picture-radius": RADII[picture_shape] }),
  };
  const declarations = Object.entries(tokens).map(([name, value]) => `--${name}:${value}`);
  // Wherever it is linked: `:root` alone would win over the tokens or lose, by which comes last.
  return declarations.length > 0 ? `${faces}html:root{${declarations.join(";")}}\n` : "";
}

const VERSION_CHARS = 12;

/** Another one for each style sheet. */
export function getStyleVersion(style: string): string {
  return createHash("sha256").update(style).digest("base64url").slice(0, VERSION_CHARS);
}

/** Tags of the heads. The console's headings are in the font of the system. */
export function toLookTags({ look, iconVersion }: { look: Look; iconVersion: string }): LookTags {
  const named = iconVersion && `?v=${iconVersion}`;
  const icon = `<link rel="icon" href="/favicon.svg${named}" type="image/svg+xml">`;
  const icons = `<link rel="icon" href="/favicon.ico${named}" sizes="32x32">
${icon}
<link rel="apple-touch-icon" href="/apple-touch-icon.png${named}">`;
  const style = buildLookStyle(look);
  const link = `<link rel="stylesheet" href="/look.css?v=${getStyleVersion(style)}"`;
  // In the page itself, as the styles of its screen are: a link would hold it back for a round trip. Drafts take the link.
  const inline = style && `<style>${style}</style>${link} disabled>`;
  const { preload } = FONTS[look.fonts];
  const font = preload && `<link rel="preload" href="${preload}" as="font" type="font/woff2" crossorigin>`;
  const own = look.accent === DEFAULT_ACCENT ? undefined : `<meta name="accent" content="${look.accent}">`;
  const join = (...tags: (string | undefined)[]) => tags.filter(Boolean).join("\n");
  return { page: join(icons, inline, font), console: join(icon, style && `${link}>`, own), style };
}
