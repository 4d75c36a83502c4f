import { readFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";

/** One of these in a public chunk means that the two roots have grown together. */
const ADMIN_LIBRARIES = /node_modules\/(antd|@ant-design|@rc-component|rc-[^/]+|@refinedev|@tanstack)\//;

/** What voice brings: pages without it pay nothing for it. */
const VOICE_OR_ADMIN = new RegExp(
  `${ADMIN_LIBRARIES.source}|node_modules/phoenix/|src/voice|providers/socket`,
);

/**
 * Fails where a page's first load outgrows its budget: `node bench/size-budget.mjs [dist]`. A page loads its entries, what
 * they import statically, and the lazy parts in `lazy`. Sizes are bytes of brotli, quality 11, as the server sends them.
 */
const BUDGETS = [
  {
    page: "/cv before it is at rest",
    entries: ["index.html"],
    maxScriptBytes: 2_000,
  },
  {
    page: "/cv hydrated",
    entries: ["index.html", "src/entry-client.tsx"],
    lazy: /^src\/(public-texts-tr\.ts$|site\/cv\/)/,
    maxScriptBytes: 90_000,
    maxStyleBytes: 8_000,
    barred: VOICE_OR_ADMIN,
  },
  {
    page: "/login and /register hydrated",
    entries: ["index.html", "src/entry-client.tsx"],
    lazy: /^src\/(public-texts-tr|account\/(guest-texts-tr|entrance-screens))\.tsx?$/,
    maxScriptBytes: 100_000,
    barred: VOICE_OR_ADMIN,
  },
  {
    page: "/rooms",
    entries: ["index.html", "src/entry-client.tsx"],
    lazy: /(^src\/(public-texts-tr\.ts$|voice\/voice-texts-tr\.ts$|voice-screens\.tsx$|voice\/room-list\/rooms-page\.tsx$)|node_modules\/phoenix\/)/,
    maxScriptBytes: 110_000,
    barred: ADMIN_LIBRARIES,
  },
  {
    page: "/room",
    entries: ["index.html", "src/entry-client.tsx"],
    lazy: /(^src\/(public-texts-tr\.ts$|voice\/call-texts-tr\.ts$|voice-screens\.tsx$|voice\/room\/room-page\.tsx$)|node_modules\/phoenix\/)/,
    maxScriptBytes: 130_000,
    barred: ADMIN_LIBRARIES,
  },
  {
    page: "/room with its call, which comes while the person checks their sound",
    entries: ["index.html", "src/entry-client.tsx"],
    lazy: /(^src\/(public-texts-tr\.ts$|voice\/call-texts-tr\.ts$|voice-screens\.tsx$|voice\/room\/(room-page|in-call)\.tsx$)|node_modules\/phoenix\/)/,
    maxScriptBytes: 140_000,
    barred: ADMIN_LIBRARIES,
  },
  {
    page: "/admin with its dashboard and charts",
    entries: ["src/admin/index.html"],
    lazy: /^src\/admin\/(dashboard|charts)\//,
    maxScriptBytes: 450_000,
  },
];

/**
 * The chunks that a page loads first. `manifest` is Vite's: source path → { file, imports, dynamicImports, css }.
 */
export function findFirstLoad(manifest, entries, lazy) {
  const keys = new Set(entries);
  for (const key of keys) {
    const { imports = [], dynamicImports = [] } = manifest[key];
    for (const next of imports) keys.add(next);
    for (const next of dynamicImports) if (lazy?.test(next)) keys.add(next);
  }
  const chunks = [...keys].map((key) => manifest[key]);
  return {
    scripts: [...new Set(chunks.map((chunk) => chunk.file))],
    styles: [...new Set(chunks.flatMap((chunk) => chunk.css ?? []))],
  };
}

/** `modules`: chunk file → ids of the modules in it. A chunk that is not listed proves nothing, and is a fault. */
export function findBarredModules(scripts, modules, barred) {
  return scripts.flatMap((script) => {
    const ids = modules[script];
    if (!ids) throw new Error(`modules.json does not list ${script}`);
    return ids.filter((id) => barred.test(id)).map((id) => `${script}: ${id}`);
  });
}

function getBrotliBytes(file) {
  return brotliCompressSync(readFileSync(file), { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } }).length;
}

function measure(client, files) {
  const rows = files.map((file) => ({ file, bytes: getBrotliBytes(join(client, file)) }));
  return { rows, total: rows.reduce((sum, row) => sum + row.bytes, 0) };
}

function printTotal(page, kind, { rows, total }, max) {
  for (const { file, bytes } of rows) console.log(`${String(bytes).padStart(9)}  ${page}  ${file}`);
  const isOver = total > max;
  console.log(
    `${String(total).padStart(9)}  ${page}  ${kind} of at most ${max}${isOver ? "  TOO LARGE" : ""}\n`,
  );
  return isOver;
}

function checkPage(client, manifest, modules, budget) {
  const missing = budget.entries.filter((key) => !manifest[key]?.isEntry);
  if (missing.length > 0) throw new Error(`the manifest has no entry ${missing.join(" and ")}`);
  const { scripts, styles } = findFirstLoad(manifest, budget.entries, budget.lazy);
  const barred = budget.barred ? findBarredModules(scripts, modules, budget.barred) : [];
  for (const module of barred) console.log(`NOT ALLOWED in ${budget.page}: ${module}`);
  const isOver = [
    printTotal(budget.page, "scripts", measure(client, scripts), budget.maxScriptBytes),
    budget.maxStyleBytes && printTotal(budget.page, "styles", measure(client, styles), budget.maxStyleBytes),
  ].includes(true);
  return isOver || barred.length > 0;
}

function main(dist) {
  const client = join(dist, "client");
  const read = (name) => JSON.parse(readFileSync(join(client, ".vite", name), "utf8"));
  const [manifest, modules] = [read("manifest.json"), read("modules.json")];
  const failed = BUDGETS.map((budget) => checkPage(client, manifest, modules, budget));
  process.exitCode = failed.includes(true) ? 1 : 0;
}

if (import.meta.main) main(process.argv[2] ?? "dist");
