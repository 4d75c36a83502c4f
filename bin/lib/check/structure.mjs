import { dirname } from "node:path";

const PRODUCT = /^(src|resources|providers|contract|server)\/.*\.tsx?$/;

/** Tests and what only they use. */
const TESTS = /(\.test|\/fixture|\/test-[^/]+)\.tsx?$/;

/** One file for each thing of a kind: a folder that is read like a table. */
const FLAT_REGISTRIES = ["server/models/kinds", "server/models/declared", "server/mail/kinds"];

const SMALL_FILE_LINES = 25;
const FULL_FOLDER_FILES = 20;

/**
 * Where each walk begins: the files of its handlers. What they import, and what that imports, is what a reader has to pass.
 * Types, lazy imports and files that are found by their folder aren't followed.
 */
const WALKS = {
  "a list request": ["server/content/routes.ts", "server/content/list/reads.ts"],
  "an edit, up to another browser's list": [
    "server/content/write-routes.ts",
    "server/content/write/writes.ts",
    "server/content/live/live-events.ts",
    "server/content/live/live-channel.ts",
    "server/socket/create-sockets.ts",
    "providers/socket/socket.ts",
    "src/admin/views/live/use-live-rows.ts",
  ],
  "a registration, up to its mail": [
    "server/accounts/claims/routes.ts",
    "server/accounts/claims/register.ts",
    "server/mail/service.ts",
    "server/mail/outbox/worker.ts",
  ],
  "/cv, up to cached HTML": ["server/http/pages/pages.ts", "server/cv/service.ts", "src/site/cv/cv-page.tsx"],
};

const isProduct = (file) => PRODUCT.test(file) && !TESTS.test(file);

/**
 * What can be counted of the tree's order. `modules` is dependency-cruiser's report, `countLines(file)` gives a file's lines.
 * @returns {{ name: string, value: number, least?: true, where: string[] }[]} `least`: more is better; `where` names the places.
 */
export function measureStructure(modules, countLines, walks = WALKS) {
  const files = modules.map(({ source }) => source).filter(isProduct);
  const lines = new Map(files.map((file) => [file, countLines(file)]));
  const total = [...lines.values()].reduce((sum, count) => sum + count, 0);
  const small = files.filter((file) => lines.get(file) <= SMALL_FILE_LINES);
  const full = listFullFolders(files);
  const pairs = listMutualFolders(modules);
  const app = modules.find(({ source }) => source === "server/app.ts");
  const imports = new Set(app?.dependencies.map(({ module }) => module));
  return [
    { name: "product files", value: files.length, where: [] },
    { name: "lines of the product", value: total, where: [] },
    { name: "mean lines of a file", value: Math.round(total / files.length), least: true, where: [] },
    { name: `files of at most ${SMALL_FILE_LINES} lines`, value: small.length, where: small },
    { name: `folders of the product over ${FULL_FOLDER_FILES} files`, value: full.length, where: full },
    { name: "pairs of folders that need each other", value: pairs.length, where: pairs },
    { name: "imports of server/app.ts", value: imports.size, where: [] },
    ...Object.entries(walks).map(([name, starts]) => {
      const gone = starts.filter((start) => !lines.has(start));
      // A walk that begins nowhere has no length, and is never within its limit.
      const value = gone.length > 0 ? Number.NaN : listReached(modules, starts).length;
      return { name: `files of ${name}`, value, where: gone.map((file) => `no file ${file}`) };
    }),
  ];
}

function listFullFolders(files) {
  const counts = new Map();
  for (const file of files) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts]
    .filter(([folder, count]) => count > FULL_FOLDER_FILES && !FLAT_REGISTRIES.includes(folder))
    .map(([folder, count]) => `${folder} (${count})`);
}

/** Two folders, neither inside the other, with imports both ways; types count: what crosses a border crosses it. */
function listMutualFolders(modules) {
  const needed = new Set();
  for (const { source, dependencies } of modules) {
    for (const { resolved } of dependencies) {
      if (!isProduct(source) || !isProduct(resolved)) continue;
      const folders = toApart(dirname(source).split("/"), dirname(resolved).split("/"));
      if (folders) needed.add(folders.join(" "));
    }
  }
  return [...needed]
    .map((pair) => pair.split(" "))
    .filter(([one, other]) => one < other && needed.has(`${other} ${one}`))
    .map(([one, other]) => `${one} and ${other}`);
}

/** Where two paths part; undefined where one lies inside the other. */
function toApart(one, other) {
  const at = one.findIndex((name, index) => name !== other[index]);
  if (at === -1 || at >= other.length) return undefined;
  return [one, other].map((path) => path.slice(0, at + 1).join("/"));
}

function listReached(modules, starts) {
  const imports = new Map(modules.map(({ source, dependencies }) => [source, dependencies]));
  const reached = new Set(starts);
  for (const file of reached) {
    for (const { resolved, dependencyTypes } of imports.get(file) ?? []) {
      if (dependencyTypes.includes("type-only") || dependencyTypes.includes("dynamic-import")) continue;
      if (isProduct(resolved)) reached.add(resolved);
    }
  }
  return [...reached];
}

/**
 * The figures as a table beside their limits and what they once were, and what is worse than its limit. Whatever has no limit is a
 * fault too: a figure that nobody keeps is a figure that gets worse.
 * @returns {{ table: string, faults: string[] }}
 */
export function judgeStructure(figures, limits) {
  const faults = [];
  const rows = figures.map(({ name, value, least, where }) => {
    const { before, limit } = limits[name] ?? {};
    const bound = `${least ? "at least" : "at most"} ${limit}`;
    const isKept = least ? value >= limit : value <= limit;
    if (!isKept) faults.push(`${name}: ${value}, ${bound}`, ...where.map((place) => `  ${place}`));
    return `${name.padEnd(48)}${String(value).padStart(7)}   ${bound.padEnd(16)}   before: ${before}`;
  });
  return { table: rows.join("\n"), faults };
}
