import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { PageRenderer, ScreenName } from "#contract/site/pages.ts";
import { ASSET_CSP } from "./policies.ts";

/**
 * Puts texts into the slots of a template (`<!--head-->` …). A replacer function, because a text may hold `$&`.
 * One pass: what a text says is never taken for a slot.
 */
export function fillTemplate(template: string, slots: Readonly<Record<string, string>>): string {
  return template.replaceAll(/<!--(\w+)-->/g, (whole, name: string) => slots[name] ?? whole);
}

/** Names under `/assets/` carry a hash of their content; the PDF worker's address carries its version. */
const HASHED = /[/\\]assets[/\\]|[/\\]pdf\.worker\.min\.mjs$/;

/** Serves the built browser app's files, pre-compressed; HTML has routes of its own. */
async function registerAssets(app: FastifyInstance, outDir: string): Promise<void> {
  await app.register(fastifyStatic, {
    root: join(outDir, "client"),
    wildcard: false,
    index: false,
    preCompressed: true,
    cacheControl: false,
    globIgnore: ["**/*.html", "**/.vite/**", "**/*.br", "**/*.gz"],
    setHeaders(reply, path) {
      reply.header(
        "Cache-Control",
        HASHED.test(path) ? "public, max-age=31536000, immutable" : "public, max-age=3600",
      );
      reply.header("Vary", "Accept-Encoding");
      reply.header("Content-Security-Policy", ASSET_CSP);
    },
  });
}

/** Vite's `.vite/manifest.json`: source path → its chunk. */
const buildManifest = z.record(
  z.string(),
  z.object({
    file: z.string(),
    imports: z.optional(z.array(z.string())),
    css: z.optional(z.array(z.string())),
  }),
);
type BuildManifest = z.infer<typeof buildManifest>;

function requireChunk(manifest: BuildManifest, key: string) {
  const chunk = manifest[key];
  if (!chunk) throw new Error(`The build's manifest has no ${key}`);
  return chunk;
}

/** Chunks and all that they import, those first that are named first. @throws when the build has no such chunk. */
function collectChunks(manifest: BuildManifest, modules: readonly string[]) {
  const keys = new Set(modules);
  for (const key of keys) for (const next of requireChunk(manifest, key).imports ?? []) keys.add(next);
  return [...keys].map((key) => requireChunk(manifest, key));
}

/**
 * Links that fetch chunks, and all that those import, while the page is still being read: found one by one, each would cost
 * a round trip. With low priority, behind the loader. @throws when the build has no such chunk.
 */
export function buildModuleLinks(manifest: BuildManifest, modules: readonly string[]): string {
  const files = new Set(collectChunks(manifest, modules).map(({ file }) => file));
  return [...files]
    .map((file) => `<link rel="modulepreload" fetchpriority="low" href="/${file}">`)
    .join("\n");
}

/** The entry whose style sheets all public pages have. */
const SITE_ENTRY = "index.html";

/** Files of the style sheets that a screen's file brings: those of all pages first. @throws when the build has no such chunk. */
export function listStyleFiles(manifest: BuildManifest, module: string): string[] {
  const files = collectChunks(manifest, [SITE_ENTRY, module]).flatMap(({ css }) => css ?? []);
  return [...new Set(files)];
}

/** Style sheets of a page. */
export interface PageStyles {
  html: string;
  /** The text of each style element in `html`, for the policy. */
  inline: readonly string[];
}

/**
 * Style sheets in the page itself: a link would hold the page back for a round trip. The disabled link fetches nothing, and tells
 * the browser app, which looks for it, that the sheet is there.
 */
function toInlineStyles(outDir: string, files: readonly string[]): PageStyles {
  const inline = files.map((file) => readFileSync(join(outDir, "client", file), "utf8"));
  const html = files.map(
    (file, index) => `<style>${inline[index]}</style><link rel="stylesheet" href="/${file}" disabled>`,
  );
  return { html: html.join("\n"), inline };
}

/** The template's own link to them: they stand in the page. */
const withoutStyleLinks = (template: string) => template.replaceAll(/ *<link rel="stylesheet"[^>]*>\n/g, "");

/** Which of the two documents: the public pages or the console's shell. */
export type TemplateName = "site" | "admin";

/** The built browser app as the server needs it: two HTML templates and the function that draws public pages. */
export interface PageAssets {
  /** Vite's development server writes inline scripts: its pages go without a Content-Security-Policy. */
  isDevelopment: boolean;
  /** @param url address of the request; Vite's development server wants it. */
  getTemplate(name: TemplateName, url: string): Promise<string>;
  getRenderer(): Promise<PageRenderer>;
  /** HTML that lets a browser fetch these source files' chunks at once; development has none. */
  getModuleLinks?(modules: readonly string[]): string;
  /** The style sheets that a page of this screen is drawn with. */
  getStyles(screen: ScreenName): Promise<PageStyles>;
}

export const TEMPLATE_FILES: Record<TemplateName, string> = {
  site: "index.html",
  admin: "src/admin/index.html",
};

/** Reads a build once and serves its files. @throws when the folder holds none. */
export async function openBuiltAssets(app: FastifyInstance, outDir: string): Promise<PageAssets> {
  await registerAssets(app, outDir);
  const templates = {
    site: withoutStyleLinks(readFileSync(join(outDir, "client", TEMPLATE_FILES.site), "utf8")),
    admin: readFileSync(join(outDir, "client", TEMPLATE_FILES.admin), "utf8"),
  };
  const manifest = buildManifest.parse(
    JSON.parse(readFileSync(join(outDir, "client", ".vite", "manifest.json"), "utf8")),
  );
  const renderer: PageRenderer = await import(pathToFileURL(join(outDir, "server", "entry-server.js")).href);
  const styles = new Map<string, PageStyles>();
  return {
    isDevelopment: false,
    getTemplate: async (name) => templates[name],
    getRenderer: async () => renderer,
    getModuleLinks: (modules) => buildModuleLinks(manifest, modules),
    async getStyles(screen) {
      const module = renderer.getScreenModule(screen);
      const found = styles.get(module) ?? toInlineStyles(outDir, listStyleFiles(manifest, module));
      styles.set(module, found);
      return found;
    },
  };
}
