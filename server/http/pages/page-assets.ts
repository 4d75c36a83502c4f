import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { FastifyInstance } from "fastify";
import type { RenderPage } from "#contract/page.ts";
import { registerAssets } from "../assets.ts";
import { buildManifest, buildModuleLinks, buildStyleLinks } from "./module-links.ts";

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
