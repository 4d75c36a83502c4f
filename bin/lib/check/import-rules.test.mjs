import { execFileSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { NODE_MODULES, ROOT } from "../paths.mjs";
import { makeTestFolder } from "../test-folder.mjs";

const IMPORTS = Object.fromEntries(
  ["contract", "locales", "providers", "resources", "src", "server"].map((name) => [
    `#${name}/*`,
    `./${name}/*`,
  ]),
);

/** Faults: file → what it imports → the rule that must name it. */
const FAULTS = [
  ["src/site/a.ts", "#server/accounts/service.ts", "layer-src"],
  ["resources/a.ts", "#providers/ok.ts", "layer-resources"],
  ["resources/b.ts", "react", "resources-are-data"],
  ["providers/a.ts", "#resources/ok.ts", "layer-providers"],
  ["contract/a.ts", "#locales/ok.ts", "layer-contract"],
  ["contract/b.ts", "zod", "contract-only-zod"],
  ["contract/c.ts", "node:fs", "contract-only-zod"],
  ["server/http/a.ts", "#src/ui/ok.ts", "layer-server"],
  ["src/ui/a.ts", "zod", "public-zod-mini"],
  ["src/public-a.ts", "antd", "public-without-admin-libraries"],
  ["src/entry-client.ts", "@refinedev/core", "public-without-admin-libraries"],
  ["src/site/b.ts", "#resources/ok.ts", "resources-for-the-console"],
  ["src/account/a.ts", "../site/ok.ts", "area-to-area"],
  ["src/ui/b.ts", "../site/ok.ts", "ui-to-area"],
  ["server/cv/a.ts", "../accounts/store.ts", "subject-through-service"],
  ["server/models/a.ts", "../accounts/service.ts", "ground-floor-models"],
  ["server/models/b.ts", "../http/ok.ts", "ground-floor-models"],
  ["server/http/b.ts", "../models/ok.ts", "ground-floor-http"],
  ["server/socket/a.ts", "../db/ok.ts", "ground-floor-socket"],
  ["server/db/a.ts", "../http/ok.ts", "ground-floor-db"],
  ["server/base/a.ts", "../db/ok.ts", "ground-floor-base"],
  ["server/cv/b.ts", "../app.ts", "roots-are-ends"],
  ["server/cv/f.ts", "../open-mail.ts", "roots-are-ends"],
  ["server/cv/c.ts", "./c2.ts", "no-cycle"],
  ["server/cv/e.ts", "./test-cv.ts", "no-test-in-product"],
  ["server/cv/d.ts", "./none.ts", "no-unresolved"],
];

/** What looks like the faults and is right. */
const RIGHT = {
  "src/site/ok.ts": 'import "#contract/ok.ts"; import "../ui/ok.ts"; import "zod/mini";',
  "src/ui/ok.ts": 'import type {} from "#providers/ok.ts"; export const ui = 1;',
  "src/admin/ok.ts": 'import "antd"; import "zod"; import "#resources/ok.ts";',
  "contract/ok.ts": 'import "zod/mini";',
  "resources/ok.ts": 'import type {} from "#contract/ok.ts"; import "#locales/ok.ts";',
  "providers/ok.ts": 'import "#locales/ok.ts";',
  "locales/ok.ts": "export {};",
  "server/app.ts": 'import "./accounts/store.ts"; import "./http/ok.ts";',
  "server/open-mail.ts": 'import "./accounts/store.ts";',
  "server/base/ok.ts": "export const base = 1;",
  "server/db/ok.ts": 'import "../base/ok.ts";',
  "server/models/ok.ts": 'import "../db/ok.ts";',
  "server/http/ok.ts": 'import "fastify"; import "../db/ok.ts"; import "../base/ok.ts";',
  "server/accounts/store.ts": 'import "zod";',
  "server/accounts/service.ts": 'import "./store.ts";',
  "server/cv/ok.ts": 'import "../accounts/service.ts";',
  "server/cv/ok.test.ts": 'import "../accounts/store.ts";',
  "server/cv/test-cv.ts": 'import "../accounts/store.ts";',
  "server/cv/c2.ts": 'import "./c.ts";',
  "server/http/needs-vite.ts": 'import "vite";',
  "server/http/asks-for-vite.ts": 'import type {} from "vite"; await import("vite");',
  "server/cv/barrel.ts": 'export { x } from "./ok.ts";',
};

let folder;
let found;

beforeAll(() => {
  const faults = FAULTS.map(([file, target]) => [file, `import type {} from "${target}";\n`]);
  folder = makeTestFolder({
    "package.json": JSON.stringify({ type: "module", imports: IMPORTS }),
    ...RIGHT,
    ...Object.fromEntries(faults),
  });
  symlinkSync(NODE_MODULES, join(folder.root, "node_modules"));
  found = cruise(folder.root);
});
afterAll(() => folder.remove());

function cruise(root) {
  const args = [
    join(NODE_MODULES, "dependency-cruiser/bin/dependency-cruiser.mjs"),
    "--config",
    join(ROOT, ".dependency-cruiser.cjs"),
    "--output-type",
    "json",
    ...["src", "resources", "providers", "contract", "locales", "server"],
  ];
  const { summary } = JSON.parse(execFileSync(process.execPath, args, { cwd: root, maxBuffer: 2 ** 26 }));
  return summary.violations.map(({ from, rule }) => `${from} ${rule.name}`);
}

test.each(FAULTS)("%s must not import %s", (file, _target, rule) => {
  expect(found).toContain(`${file} ${rule}`);
});

test("a file of re-exports is refused", () => {
  expect(found).toContain("server/cv/barrel.ts no-barrel");
});

test("a server that only runs comes without packages for building", () => {
  expect(found).toContain("server/http/needs-vite.ts runs-without-build-packages");
});

test("what is right is not named", () => {
  const right = Object.keys(RIGHT).filter((file) => !/barrel|c2|needs-vite/.test(file));
  expect(found.filter((line) => right.some((file) => line.startsWith(`${file} `)))).toEqual([]);
});
