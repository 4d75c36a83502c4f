import { LANGUAGES } from "../languages.ts";
import { FIXED_PAGES, SCREENS } from "./pages.ts";

/**
 * First parts of addresses that are no screen's and yet the product's own, or will be: endpoints, files of the build, files
 * that browsers and search engines look for. `server/site/page-address.test.ts` compares them with all routes of the server.
 */
const OTHERS = [
  "admin",
  "api",
  "assets",
  "files",
  "flags",
  "fonts",
  "pictures",
  "preview",
  "print",
  "public",
  "socket",
  "src",
  "voice",
  ...LANGUAGES,
] as const;

const RESERVED: ReadonlySet<string> = new Set([
  ...OTHERS,
  ...Object.values(SCREENS)
    .flatMap(({ paths }) => paths)
    .map((path) => path.split("/")[1] ?? "")
    .filter((part) => !part.startsWith(":")),
]);

/** Whether an address without slashes is the product's own, so that no page of the owner may have it. */
export const isReservedAddress = (slug: string): boolean => RESERVED.has(slug);

/** Whether a page is one that every site has: it keeps its address, is always shown, and can't be deleted. */
export const isFixedPage = (slug: string): boolean => FIXED_PAGES.some((fixed) => fixed === slug);
