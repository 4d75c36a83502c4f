import type { Language } from "#contract/languages.ts";
import type { SiteInfo } from "#contract/site.ts";

/** `--paper` of the light theme (src/ui/tokens.css): what a window shows before its page. A manifest knows one colour. */
const PAPER = "#fbfbf9";

/** `/manifest.webmanifest?lang=` (W3C Web Application Manifest). `public/` holds the icons. */
export function buildManifest(origin: string, { author }: Pick<SiteInfo, "author">, lang: Language): string {
  const name = author || new URL(origin).host;
  return JSON.stringify({
    id: "/",
    name,
    short_name: name,
    lang,
    dir: "ltr",
    start_url: "/cv",
    scope: "/",
    display: "minimal-ui",
    theme_color: PAPER,
    background_color: PAPER,
    icons: [
      { src: "/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "any" },
      { src: "/icon-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/favicon.svg", sizes: "any", type: "image/svg+xml" },
    ],
  });
}
