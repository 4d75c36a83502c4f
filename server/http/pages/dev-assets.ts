import { readFile } from "node:fs/promises";
import { join } from "node:path";
import middie from "@fastify/middie";
import type { FastifyInstance } from "fastify";
import type { RenderPage } from "#contract/page.ts";
import type { PageAssets } from "./page-assets.ts";

/** The browser app from Vite's development server, with live reload. Only `npm run dev` comes here. */
export async function openDevAssets(app: FastifyInstance, root: string): Promise<PageAssets> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    appType: "custom",
    server: { middlewareMode: true, hmr: { server: app.server } },
  });
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
