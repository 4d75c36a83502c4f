import { existsSync } from "node:fs";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import zlib from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const ROOT = import.meta.dirname;
const OUT_DIR = path.resolve(ROOT, process.env.FOYER_OUT_DIR ?? "dist");
const APP_ENTRY = "src/entry-client.tsx";
const CLIENT_DIR = path.join(OUT_DIR, "client");

/**
 * Public code gets its own copies of the packages that both roots use (`?site`). A shared module carries what either root
 * asks of it: react-router's would bring the admin's data router (104.8 kB of brotli in place of 89.6),
 * Zod's the schemas of the whole admin. React stays shared: both use all of it.
 * react-router is taken from its production build; its `exports` name the development build even in production.
 */
function siteCopies(): Plugin {
  const routerDist = path.join(ROOT, "node_modules/react-router/dist/production");
  const isPublicCode = (id: string) =>
    id.endsWith("?site") || /^src\/(?!admin\/)/.test(path.relative(ROOT, id));
  return {
    name: "foyer:site-copies",
    apply: "build",
    enforce: "pre",
    applyToEnvironment: (environment) => environment.name === "client",
    async resolveId(source, importer) {
      if (!importer) return null;
      const target = source === "react-router" ? path.join(routerDist, "index.mjs") : source;
      if (!isPublicCode(importer)) return target === source ? null : target;
      const found = await this.resolve(target, importer, { skipSelf: true });
      const isCopied = found && /\/(node_modules\/(react-router|zod)|contract|providers)\//.test(found.id);
      if (!isCopied || found.id.endsWith("?site")) return found;
      // None of them does anything by being imported; Rolldown can't look that up for an id of ours.
      return { id: `${found.id}?site`, moduleSideEffects: false };
    },
  };
}

/** An address without its scheme would be taken for a path of this site, and every call would fail without a word. */
function backEndAddresses(): Plugin {
  return {
    name: "foyer:back-end-addresses",
    configResolved({ env }) {
      for (const name of ["VITE_API_URL", "VITE_VOICE_URL"])
        if (env[name] && !/^https?:\/\//.test(env[name]))
          throw new Error(
            `${name} must begin with https:// or http:// (the socket follows it); it is "${env[name]}".`,
          );
    },
  };
}

/** The modules must not compete with the picture that the visitor waits for. */
function lowPriorityScripts(): Plugin {
  return {
    name: "foyer:low-priority-scripts",
    apply: "build",
    transformIndexHtml: {
      order: "post",
      handler: (html, { path: page }) =>
        page === "/index.html"
          ? html.replaceAll(
              /<(script type="module"|link rel="modulepreload")(?! fetchpriority)/g,
              '<$1 fetchpriority="low"',
            )
          : html,
    },
  };
}

/**
 * Tells the loader where the app is: `data-app` on its script lists the app's chunk and what that imports. A dynamic
 * import would do the same with a helper of Vite's that is half as large as the loader.
 */
function appAddress(): Plugin {
  return {
    name: "foyer:app-address",
    transformIndexHtml: {
      order: "post",
      handler(html, { path: page, bundle }) {
        if (page !== "/index.html") return html;
        const chunks = Object.values(bundle ?? {}).filter((chunk) => chunk.type === "chunk");
        const app = chunks.find((chunk) => chunk.facadeModuleId === path.join(ROOT, APP_ENTRY));
        const files = new Set([app?.fileName ?? APP_ENTRY]);
        for (const file of files)
          for (const next of chunks.find((chunk) => chunk.fileName === file)?.imports ?? []) files.add(next);
        const list = [...files].map((file) => `/${file}`).join(" ");
        return html.replace(/<script type="module"/, `<script data-app="${list}" type="module"`);
      },
    },
  };
}

/**
 * pdf.js's worker and the fonts that a PDF may leave out, at the site's root: `/pdf.worker.min.mjs`, `/standard_fonts/…`.
 * The legacy build, as src/site/cv/certificates/pdf-first-page.ts takes it: pdf.js refuses a worker of another build.
 */
function pdfFiles(): Plugin {
  const source = path.join(ROOT, "node_modules/pdfjs-dist");
  const worker = "pdf.worker.min.mjs";
  const toFile = (name: string) => path.join(source, name === worker ? `legacy/build/${worker}` : name);
  return {
    name: "foyer:pdf-files",
    applyToEnvironment: (environment) => environment.name === "client",
    async generateBundle() {
      const fonts = await readdir(path.join(source, "standard_fonts"));
      const names = [worker, ...fonts.map((font) => `standard_fonts/${font}`)];
      await Promise.all(
        names.map(async (fileName) =>
          this.emitFile({ type: "asset", fileName, source: await readFile(toFile(fileName)) }),
        ),
      );
    },
    configureServer({ middlewares }) {
      middlewares.use(async (request, response, next) => {
        const name = request.url?.match(/^\/(pdf\.worker\.min\.mjs|standard_fonts\/\w[\w.-]*)(\?|$)/)?.[1];
        if (!name || !existsSync(toFile(name))) return next();
        if (name === worker) response.setHeader("Content-Type", "text/javascript");
        response.end(await readFile(toFile(name)));
      });
    },
  };
}

/** Writes `.vite/modules.json`, chunk file → module ids relative to the repository, for bench/size-budget.mjs. */
function moduleList(): Plugin {
  return {
    name: "foyer:module-list",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    async writeBundle(_options, bundle) {
      const list: Record<string, string[]> = {};
      for (const [file, chunk] of Object.entries(bundle)) {
        if (chunk.type !== "chunk") continue;
        list[file] = chunk.moduleIds.map((id) => path.relative(ROOT, id.replace(/^\0/, "")));
      }
      await mkdir(path.join(CLIENT_DIR, ".vite"), { recursive: true });
      await writeFile(path.join(CLIENT_DIR, ".vite/modules.json"), `${JSON.stringify(list, null, 2)}\n`);
    },
  };
}

/** Packages whose import alone does nothing: what parts of @refinedev/antd need that stay out (38 kB of brotli), and Refine's core (1.3 kB). */
const UNUSED_IMPORTS = /node_modules\/(react-markdown|remark-gfm|sunflower-antd|dayjs|error-stack-parser)\//;

/**
 * What the loader and the app share, what all public pages load, and what all screens of the account load, as one chunk each: left to itself the bundler makes one
 * for every set of pages that share a module, and 30 chunks of 200 bytes weigh 2 kB more than two.
 */
const SHARED_CHUNKS = {
  includeDependenciesRecursively: false,
  groups: [
    // Both roots use all of React: in several files it weighs 400 bytes more.
    { name: "react", test: /node_modules\/(react|react-dom|scheduler)\// },
    {
      name: "loader-parts",
      test: /\/(contract\/languages\.ts\?site|providers\/browser-storage\.ts\?site|src\/ui\/loader\/session\.ts)$/,
    },
    {
      name: "frame",
      test: /\/(src\/(ui\/(?!dialog|form-|setting-|text-|toast)|public-)[\w-]+\.tsx|(contract\/site\/pages|providers\/text)\.ts\?site)$/,
    },
    {
      name: "session",
      test: /\/(src\/(account\/(account-(area|session)|arrival)|ui\/(failure-text|form-messages))\.tsx?|(contract\/(accounts\/(accounts|preferences)|limits|values)|providers\/http\/(access-token|auth-state|session))\.ts\?site)$/,
    },
    {
      name: "voice-parts",
      test: /\/(src\/voice\/(voice-context|parts\/(lazy-part|status)|room-list\/lazy-parts)\.tsx?|(contract\/(socket|voice\/rooms)|providers\/(socket\/[\w-]+|http\/voice-http))\.ts\?site)$/,
    },
    {
      name: "forms",
      test: /\/(src\/(account\/(account-services|forms\/(fault-text|password-fields|remembered-registration|username-field))|ui\/(text-field|use-form-fields))\.tsx?|contract\/accounts\/(account-rules|registration)\.ts\?site)$/,
    },
  ],
};

/** Chunks that are there before any part is asked for: naming them again with each part costs the first load 300 bytes. */
const IS_LOADED_FIRST = /\/(chunk|frame|loader-parts|preload-helper|react|rolldown-runtime)-[\w-]{8,}\.js$/;

const brotli = promisify(zlib.brotliCompress);
const gzip = promisify(zlib.gzip);

/** Puts `.br` and `.gz` beside every text asset, so that the server never compresses a file twice. */
function precompress(): Plugin {
  const isText = (file: string) =>
    /\.(js|mjs|css|svg|json|txt|webmanifest|wasm)$/.test(file) && !file.includes(".vite/");
  return {
    name: "foyer:precompress",
    apply: "build",
    applyToEnvironment: (environment) => environment.name === "client",
    async closeBundle() {
      if (!existsSync(CLIENT_DIR)) return;
      const files = await readdir(CLIENT_DIR, { recursive: true });
      await Promise.all(
        files.filter(isText).map(async (name) => {
          const file = path.join(CLIENT_DIR, name);
          const bytes = await readFile(file);
          const params = { [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
          await Promise.all([
            brotli(bytes, { params }).then((small) => writeFile(`${file}.br`, small)),
            gzip(bytes, { level: 9 }).then((small) => writeFile(`${file}.gz`, small)),
          ]);
        }),
      );
    },
  };
}

/**
 * One configuration for both roots, for `vite build --app` and for the development server in middleware mode.
 * Out: `client/` (files, `.vite/manifest.json`, `.vite/modules.json`) and `server/entry-server.js`.
 */
export default defineConfig(({ command }) => ({
  root: ROOT,
  appType: "custom",
  // simple-rest makes an axios at its import, which the console never uses: its client is providers/refine/records.ts.
  // Parts of @refinedev/antd that nothing uses name CommonJS copies of two icons, which would change how antd itself is bundled.
  // antd's portals import their scroll lock by this name; the policy refuses its styles.
  resolve: {
    alias: [
      { find: "axios", replacement: path.join(ROOT, "providers/refine/no-axios.ts") },
      { find: /^@ant-design\/icons\/(\w+Outlined)$/, replacement: "@ant-design/icons/es/icons/$1" },
      { find: /^\.\/useScrollLocker$/, replacement: path.join(ROOT, "src/admin/layout/no-scroll-lock.ts") },
    ],
  },
  builder: {},
  plugins: [
    backEndAddresses(),
    siteCopies(),
    react(),
    lowPriorityScripts(),
    appAddress(),
    pdfFiles(),
    moduleList(),
    precompress(),
  ],
  build: {
    target: "baseline-widely-available",
    // light-dark() as it is written: lowering it doubles every colour.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    // A data: address would break `default-src 'self'`.
    assetsInlineLimit: 0,
    modulePreload: {
      polyfill: false,
      resolveDependencies: (_file, files) => files.filter((file) => !IS_LOADED_FIRST.test(file)),
    },
    emptyOutDir: true,
    reportCompressedSize: false,
    chunkSizeWarningLimit: 2000,
  },
  environments: {
    client: {
      build: {
        outDir: CLIENT_DIR,
        manifest: true,
        rolldownOptions: {
          // The loader calls what the app's entry exports.
          preserveEntrySignatures: "allow-extension" as const,
          output: { codeSplitting: SHARED_CHUNKS },
          // Building a schema changes nothing else: a page that takes one constant of `contract/` gets no Zod with it.
          treeshake: {
            manualPureFunctions: ["z"],
            moduleSideEffects: [{ test: UNUSED_IMPORTS, sideEffects: false }],
          },
          input: {
            site: path.join(ROOT, "index.html"),
            app: path.join(ROOT, APP_ENTRY),
            admin: path.join(ROOT, "src/admin/index.html"),
          },
        },
      },
    },
    ssr: {
      // The built bundle carries React in its production form: it needs no packages beside it, and NODE_ENV can't slow
      // it down five times. In development Node loads React, because it is CommonJS.
      ...(command === "build" && {
        define: { "process.env.NODE_ENV": '"production"' },
        resolve: { noExternal: true as const },
      }),
      build: {
        outDir: path.join(OUT_DIR, "server"),
        ssr: true,
        copyPublicDir: false,
        emitAssets: false,
        rolldownOptions: {
          input: { "entry-server": path.join(ROOT, "src/entry-server.tsx") },
          output: { entryFileNames: "[name].js" },
        },
      },
    },
  },
}));
