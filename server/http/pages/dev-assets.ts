import { existsSync, realpathSync } from "node:fs";
import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import { dirname, join, posix, relative, sep } from "node:path";
import type { FastifyInstance } from "fastify";
import type { Plugin } from "vite";
import type { PageRenderer } from "#contract/site/pages.ts";
import { type PageAssets, TEMPLATE_FILES } from "./page-assets.ts";

/** The folders that the browser app is made of. Nothing else of the repository is anybody's to read. */
const SOURCES = ["src", "providers", "contract", "locales", "resources", "public", "node_modules"];

/** Addresses that Vite and its plugins answer without a file of the repository; modules by their id ask `load` below. */
const VITE_ADDRESS = /^\/(@vite\/|@id\/|@react-refresh$|pdf\.worker\.min\.mjs$|standard_fonts\/[\w.-]+$)/;

const isWithin = (folder: string, file: string) => file === folder || file.startsWith(folder + sep);

/** Where a path leads to in the end, links followed; undefined where nothing is. */
function findReal(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}

/** What the development server may read: files of the app, and never the data folder, wherever it stands and whatever leads into it. */
function createFileRule(root: string, dataDir: string) {
  const allowed = SOURCES.map((name) => join(root, name));
  const folders = [...allowed, ...Object.values(TEMPLATE_FILES).map((name) => join(root, name))];

  /** @param path absolute. Something that doesn't exist is nobody's secret. */
  function mayRead(path: string): boolean {
    const real = findReal(path);
    if (real === undefined) return true;
    // Looked up each time: the folder may have been made, or moved, since the start.
    const data = findReal(dataDir) ?? dataDir;
    if (isWithin(data, real)) return false;
    const folder = folders.map((name) => findReal(name) ?? name).find((name) => isWithin(name, real));
    return folder !== undefined && !/(^|[/\\])\.(env|git)([./\\]|$)/.test(relative(folder, real));
  }

  /** @param address path and query of a request. */
  function mayServe(address: string): boolean {
    let path: string;
    try {
      path = decodeURIComponent(address.split(/[?#]/, 1)[0] ?? "");
    } catch {
      return false;
    }
    if (/[\\\0]/.test(path) || path.split("/").includes("..")) return false;
    if (VITE_ADDRESS.test(path)) return true;
    const outside = path.match(/^\/@fs(\/.*)/)?.[1];
    if (outside !== undefined) return existsSync(outside) && mayRead(outside);
    const [top = ""] = path.slice(1).split("/");
    // Packages that Vite is still bundling have no file yet.
    if (SOURCES.includes(top)) return mayRead(join(root, path));
    const file = join(root, "public", path);
    return path !== "/" && existsSync(file) && mayRead(file);
  }

  return { allowed, mayRead, mayServe };
}

/** Refuses every module of a file that isn't the app's: by an id, with `?raw`, `?url` or over the socket. */
const createModuleGuard = (root: string, mayRead: (path: string) => boolean): Plugin => ({
  name: "foyer:guarded-modules",
  enforce: "pre",
  load(id) {
    const [path = ""] = id.split(/[?#]/, 1);
    // A module may be asked for by the address that it has below the root, too.
    if (path.startsWith("/") && !(mayRead(path) && mayRead(join(root, path))))
      throw new Error("Not a file of the browser app");
    return null;
  },
});

/**
 * The browser app from Vite's development server, with live reload. Only `npm run dev` comes here. It answers before anybody is asked
 * who they are, and to pages of other programs of this machine too: so it serves the app's own files alone.
 */
export async function openDevAssets(
  app: FastifyInstance,
  { root, dataDir }: { root: string; dataDir: string },
): Promise<PageAssets> {
  const rule = createFileRule(root, dataDir);
  /** What follows Vite for a request. */
  const leave = new WeakMap<IncomingMessage, () => void>();
  const { createServer } = await import("vite");
  const vite = await createServer({
    root,
    appType: "custom",
    server: {
      middlewareMode: true,
      hmr: { server: app.server },
      cors: false,
      fs: { strict: true, allow: rule.allowed },
    },
    plugins: [
      createModuleGuard(root, rule.mayRead),
      {
        name: "foyer:guarded-files",
        // Behind Vite's look at `Host`, which all requests pass; before everything that reads a file.
        configureServer({ middlewares }) {
          middlewares.use((request, _response, next) => {
            if (rule.mayServe(request.originalUrl ?? request.url ?? "")) next();
            else leave.get(request)?.();
          });
        },
      },
    ],
  });
  const { default: middie } = await import("@fastify/middie");
  await app.register(middie);
  app.use((request, response, next) => {
    leave.set(request, next);
    vite.middlewares(request, response, next);
  });
  app.addHook("onClose", () => vite.close());
  const loadRenderer = async () => (await vite.ssrLoadModule("/src/entry-server.tsx")) as PageRenderer;
  return {
    isDevelopment: true,
    async getTemplate(name, url) {
      const file = TEMPLATE_FILES[name];
      // Under the name that it has in a build: the plugins of vite.config.ts go by it.
      return vite.transformIndexHtml(`/${file}`, await readFile(join(root, file), "utf8"), url);
    },
    getRenderer: loadRenderer,
    async getStyles(screen) {
      const { getScreenModule } = await loadRenderer();
      const module = getScreenModule(screen);
      const source = await readFile(join(root, module), "utf8");
      // Vite's scripts bring them too, but after the page is drawn.
      const sheets = [...source.matchAll(/^import "(\..+\.css)";$/gm)].map(([, path = ""]) =>
        posix.join(dirname(module), path),
      );
      return {
        html: sheets.map((sheet) => `<link rel="stylesheet" href="/${sheet}">`).join("\n"),
        inline: [],
      };
    },
  };
}
