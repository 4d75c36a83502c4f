import { readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import * as z from "zod/mini";
import type { RenderPage } from "#contract/site/pages.ts";

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

/**
 * Links that fetch chunks, and all that those import, while the page is still being read: found one by one, each would cost
 * a round trip. With low priority, behind the styles and the loader. @throws when the build has no such chunk.
 */
export function buildModuleLinks(manifest: BuildManifest, modules: readonly string[]): string {
  const keys = new Set(modules);
  const links = new Set<string>();
  for (const key of keys) {
    const chunk = requireChunk(manifest, key);
    for (const next of chunk.imports ?? []) keys.add(next);
    links.add(`<link rel="modulepreload" fetchpriority="low" href="/${chunk.file}">`);
    // As Vite asks for it: a preload with other credentials is fetched for nothing.
    for (const file of chunk.css ?? [])
      links.add(`<link rel="preload" as="style" crossorigin href="/${file}">`);
  }
  return [...links].join("\n");
}

/** Style sheets that are entries of the build. @throws when the build has no such file. */
export function buildStyleLinks(manifest: BuildManifest, styles: readonly string[]): string {
  return styles
    .map((style) => `<link rel="stylesheet" href="/${requireChunk(manifest, style).file}">`)
    .join("\n");
}

/** Which of the two documents: the public pages or the console's shell. */
export type TemplateName = "site" | "admin";

/** The built browser app as the server needs it: two HTML templates and the function that draws public pages. */
export interface PageAssets {
  /** Vite's development server writes inline scripts: its pages go without a Content-Security-Policy. */
  isDevelopment: boolean;
  /** @param url address of the request; Vite's development server wants it. */
  getTemplate(name: TemplateName, url: string): Promise<string>;
  getRender(): Promise<RenderPage>;
  /** HTML that lets a browser fetch these source files' chunks at once; development has none. */
  getModuleLinks?(modules: readonly string[]): string;
  /** HTML that has a browser wait for these style sheets, named by their source files. */
  getStyleLinks(styles: readonly string[]): string;
}

const TEMPLATE_FILES: Record<TemplateName, string> = { site: "index.html", admin: "src/admin/index.html" };

/** Reads a build once and serves its files. @throws when the folder holds none. */
export async function openBuiltAssets(app: FastifyInstance, outDir: string): Promise<PageAssets> {
  await registerAssets(app, outDir);
  const templates = {
    site: readFileSync(join(outDir, "client", TEMPLATE_FILES.site), "utf8"),
    admin: readFileSync(join(outDir, "client", TEMPLATE_FILES.admin), "utf8"),
  };
  const manifest = buildManifest.parse(
    JSON.parse(readFileSync(join(outDir, "client", ".vite", "manifest.json"), "utf8")),
  );
  const bundle: { render: RenderPage } = await import(
    pathToFileURL(join(outDir, "server", "entry-server.js")).href
  );
  return {
    isDevelopment: false,
    getTemplate: async (name) => templates[name],
    getRender: async () => bundle.render,
    getModuleLinks: (modules) => buildModuleLinks(manifest, modules),
    getStyleLinks: (styles) => buildStyleLinks(manifest, styles),
  };
}

/** The browser app from Vite's development server, with live reload. Only `npm run dev` comes here. */
export async function openDevAssets(app: FastifyInstance, root: string): Promise<PageAssets> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    appType: "custom",
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
  const { default: middie } = await import("@fastify/middie");
  await app.register(middie);
  app.use(vite.middlewares);
  app.addHook("onClose", () => vite.close());
  const files = { site: "index.html", admin: "src/admin/index.html" };
  return {
    isDevelopment: true,
    async getTemplate(name, url) {
      const file = files[name];
      // Under the name that it has in a build: the plugins of vite.config.ts go by it.
      return vite.transformIndexHtml(`/${file}`, await readFile(join(root, file), "utf8"), url);
    },
    async getRender() {
      const bundle = (await vite.ssrLoadModule("/src/entry-server.tsx")) as { render: RenderPage };
      return bundle.render;
    },
    getStyleLinks: (styles) => styles.map((style) => `<link rel="stylesheet" href="/${style}">`).join("\n"),
  };
}
