/** @jest-environment node */
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import fastify from "fastify";
import { buildModuleLinks, fillTemplate, listStyleFiles, openBuiltAssets } from "./page-assets.ts";

describe("module links", () => {
  const MANIFEST = {
    "src/a.tsx": { file: "assets/a.js", imports: ["_shared.js"], css: ["assets/a.css"] },
    "src/b.ts": { file: "assets/b.js", imports: ["_shared.js"] },
    "_shared.js": {
      file: "assets/shared.js",
      imports: ["src/b.ts", "index.html"],
      css: ["assets/shared.css"],
    },
    "index.html": { file: "assets/site.js", css: ["assets/site.css"] },
  };

  test("chunks come with what they import, each once", () => {
    expect(buildModuleLinks(MANIFEST, ["src/a.tsx", "src/b.ts"]).split("\n")).toEqual([
      '<link rel="modulepreload" fetchpriority="low" href="/assets/a.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/b.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/shared.js">',
      '<link rel="modulepreload" fetchpriority="low" href="/assets/site.js">',
    ]);
  });

  test("a page without lazy parts has no links, and one that names an unknown chunk is a fault of the build", () => {
    expect(buildModuleLinks(MANIFEST, [])).toBe("");
    expect(() => buildModuleLinks(MANIFEST, ["src/c.ts"])).toThrow("src/c.ts");
  });

  test("a screen has the style sheets of all pages first, then its own and those of what it imports", () => {
    expect(listStyleFiles(MANIFEST, "src/a.tsx")).toEqual([
      "assets/site.css",
      "assets/a.css",
      "assets/shared.css",
    ]);
    expect(listStyleFiles(MANIFEST, "index.html")).toEqual(["assets/site.css"]);
    expect(() => listStyleFiles(MANIFEST, "src/c.tsx")).toThrow("src/c.tsx");
  });
});

describe("page assets", () => {
  test("slots are filled as they are, whatever a text holds", () => {
    const slots = { head: "$& $1 <!--body-->", body: "B" };
    expect(fillTemplate("<!--head-->|<!--body-->|<!--other-->", slots)).toBe(
      "$& $1 <!--body-->|B|<!--other-->",
    );
  });

  test("of a build the browser's files alone are served: no template, no manifest, no folder, nothing outside of it", async () => {
    const folder = await mkdtemp(join(tmpdir(), "foyer-build-"));
    const files = {
      "client/index.html": "<html>",
      "client/src/admin/index.html": "<html>",
      "client/.vite/manifest.json": "{}",
      "client/assets/app.js": "export {}",
      "server/entry-server.js": "export const render = () => undefined;",
      "secret.json": "hunter2",
    };
    for (const [name, text] of Object.entries(files)) {
      await mkdir(dirname(join(folder, name)), { recursive: true });
      await writeFile(join(folder, name), text);
    }
    const app = fastify();
    await openBuiltAssets(app, folder);
    const script = await app.inject({ url: "/assets/app.js" });
    expect([script.statusCode, script.headers["content-type"]]).toEqual([
      200,
      "application/javascript; charset=utf-8",
    ]);
    expect(script.headers["content-security-policy"]).toContain("frame-ancestors 'none'");
    for (const url of [
      "/assets/",
      "/assets",
      "/index.html",
      "/src/admin/index.html",
      "/.vite/manifest.json",
      "/server/entry-server.js",
      "/assets/..%2f..%2fsecret.json",
      "/assets/..%252f..%252fsecret.json",
      "/..%2fsecret.json",
      "/%2e%2e/secret.json",
    ])
      expect([url, (await app.inject({ url })).statusCode]).toEqual([url, 404]);
    await app.close();
    await rm(folder, { recursive: true });
  });
});
