import { execFile } from "node:child_process";
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";

const run = promisify(execFile);
/** In a process of its own: Vite's bundler is native code, which takes no object of Jest's realm. */
async function runScript(script: string, ...args: string[]) {
  const { stdout } = await run(process.execPath, ["--input-type=module", "-e", script, ...args]);
  return JSON.parse(stdout.split("\n").find((line) => line.startsWith("[")) ?? "");
}

const SCRIPT = `
import fastify from "fastify";
import { openDevAssets } from "./server/http/pages/dev-assets.ts";
const app = fastify();
const assets = await openDevAssets(app, { root: process.cwd(), dataDir: process.cwd() + "/data" });
const templates = [await assets.getTemplate("site", "/en/cv"), await assets.getTemplate("admin", "/admin/x")];
const style = await app.inject({ url: "/src/voice/voice.css", headers: { accept: "text/css" } });
const { html } = await assets.getStyles("room");
const styles = [html, style.headers["content-type"]];
await app.close();
console.log(JSON.stringify([...templates, ...styles]));
`;

test("in development the loader of a public page is given where the app is, whatever the address, and style sheets are files", async () => {
  const [site, admin, link, type] = await runScript(SCRIPT);
  expect(site).toContain('data-app="/src/entry-client.tsx"');
  expect(admin).not.toContain("data-app");
  expect([link, type]).toEqual(['<link rel="stylesheet" href="/src/voice/voice.css">', "text/css"]);
});

/** Asks a development server over HTTP, each path as it is written: `[path, headers]` → `[status, body, allowed origin]`. */
const ASK = `
import http from "node:http";
import fastify from "fastify";
import { openDevAssets } from "./server/http/pages/dev-assets.ts";
const [root, dataDir, calls] = process.argv.slice(1);
const app = fastify();
await openDevAssets(app, { root, dataDir });
await app.listen({ port: 0, host: "127.0.0.1" });
const { port } = app.server.address();
const answers = [];
for (const [path, headers] of JSON.parse(calls))
  answers.push(await new Promise((resolve, reject) => {
    http.get({ port, host: "127.0.0.1", path, headers }, async (answer) => {
      let body = "";
      for await (const part of answer.setEncoding("utf8")) body += part;
      resolve([answer.statusCode, body, answer.headers["access-control-allow-origin"] ?? null]);
    }).on("error", reject);
  }));
await app.close();
console.log(JSON.stringify(answers));
`;

describe("the development server over HTTP", () => {
  const SECRET = "c2VjcmV0LWtleQ";
  /** In words, or packed into an address. */
  const isLeak = (body = "") => body.includes(SECRET) || body.includes("base64,");
  let root: string;
  let outside: string;

  async function put(path: string, text: string): Promise<void> {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }

  const FILES = {
    "keys/access-token.json": `{"secret":"${SECRET}"}`,
    "mail/1.eml": `Your code: ${SECRET}`,
    "a.css": `.a { content: "${SECRET}" }`,
    "a.js": `export default "${SECRET}"`,
  };
  const putData = (folder: string) =>
    Promise.all(Object.entries(FILES).map(([name, text]) => put(join(folder, name), text)));

  beforeAll(async () => {
    root = await realpath(await mkdtemp(join(tmpdir(), "foyer-dev-")));
    outside = await realpath(await mkdtemp(join(tmpdir(), "foyer-data-")));
    await put(join(root, "src/main.ts"), 'export const words = "of the app";');
    await put(join(root, "public/plain.txt"), "for everybody");
    await symlink(join(process.cwd(), "node_modules"), join(root, "node_modules"));
    for (const name of [".env", ".git/config", "src/.env.local", "test-results/a.json", "server/a.ts"])
      await put(join(root, name), SECRET);
    await Promise.all([putData(join(root, "data")), putData(join(root, "src/kept")), putData(outside)]);
    for (const place of ["public/link", "src/link"]) await symlink(outside, join(root, place));
  });
  afterAll(() => Promise.all([root, outside].map((folder) => rm(folder, { recursive: true, force: true }))));

  /** Every way that a file of a folder may be asked for, the folder by its address and by its place. */
  function listAttacks(address: string, folder: string): [string, Record<string, string>][] {
    const paths = Object.keys(FILES).flatMap((name) => {
      const [at, fs] = [`${address}/${name}`, `/@fs${folder}/${name}`];
      const own = [
        at,
        fs,
        `/@id/${folder}/${name}`,
        `/@id${at}`,
        `/src/%2e%2e${at}`,
        `/src/..${at}`,
        `/src/..%2f${at}`,
      ];
      const encoded = [
        at.replace("a", "%61"),
        at.replace("a", "%2561"),
        `//${at.slice(1)}`,
        `/@fs/${fs}`,
        `/@fs/src/..${fs}`,
      ];
      return [...own, ...encoded, at.replace(/\.\w+$/, ""), fs.replace(/\.\w+$/, "")];
    });
    const queries = [
      "",
      "?raw",
      "?url",
      "?import",
      "?import&raw",
      "?inline",
      "?raw??",
      "?import&url&inline",
      "#?raw",
    ];
    const kinds = [{}, { "Sec-Fetch-Dest": "script" }, { Accept: "text/css" }];
    return paths.flatMap((path) =>
      queries.flatMap((query) =>
        kinds.map((kind) => [path + query, kind] as [string, Record<string, string>]),
      ),
    );
  }
  const ask = (dataDir: string, calls: [string, Record<string, string>][]) =>
    runScript(ASK, root, dataDir, JSON.stringify(calls)) as Promise<[number, string, string | null][]>;

  test.each([
    ["inside of the repository", () => ["/data", join(root, "data")]],
    ["inside of a folder of the app", () => ["/src/kept", join(root, "src/kept")]],
    ["elsewhere, with a link in the app's sources", () => ["/src/link", outside]],
    ["elsewhere, with a link among the public files", () => ["/link", outside]],
  ])("gives nothing of the data folder, %s, however it is asked for", async (_where, getPlace) => {
    const [address = "", folder = ""] = getPlace();
    const attacks = listAttacks(address, folder);
    const answers = await ask(folder, attacks);
    const leaks = attacks.filter((_attack, index) => isLeak(answers[index]?.[1]));
    expect([answers.length, leaks]).toEqual([attacks.length, []]);
  });

  test("gives no settings, nothing of git, no reports of tests and no source of the server", async () => {
    const names = [".env", ".git/config", "src/.env.local", "test-results/a.json", "server/a.ts"];
    const attacks = names.flatMap((name) =>
      ["", "?raw", "?import&raw"].flatMap((query) =>
        [`/${name}`, `/@fs${root}/${name}`, `/@id/${root}/${name}`].map(
          (path) => [path + query, {}] as [string, object],
        ),
      ),
    ) as [string, Record<string, string>][];
    const answers = await ask(join(root, "data"), attacks);
    expect(attacks.filter((_attack, index) => isLeak(answers[index]?.[1]))).toEqual([]);
  });

  test("gives the app to its own pages alone: no other origin may read it, and no other name of the machine finds it", async () => {
    const [source, file, client, foreign, forged] = await ask(join(root, "data"), [
      ["/src/main.ts", {}],
      ["/plain.txt", {}],
      ["/@vite/client", {}],
      ["/src/main.ts", { Origin: "http://localhost:9999" }],
      ["/src/main.ts", { Host: "evil.example" }],
    ]);
    expect([source?.[0], source?.[1]]).toEqual([200, expect.stringContaining("of the app")]);
    expect([file?.[1], client?.[0]]).toEqual(["for everybody", 200]);
    expect(foreign?.[2]).toBeNull();
    expect(forged?.[0]).toBe(403);
  });
});
