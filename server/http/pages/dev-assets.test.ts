import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";

// In a process of its own: Vite's bundler is native code, which takes no object of Jest's realm.
const SCRIPT = `
import fastify from "fastify";
import { openDevAssets } from "./server/http/pages/page-assets.ts";
const app = fastify();
const assets = await openDevAssets(app, process.cwd());
const templates = [await assets.getTemplate("site", "/en/cv"), await assets.getTemplate("admin", "/admin/x")];
const style = await app.inject({ url: "/src/voice/voice.css", headers: { accept: "text/css" } });
const { html } = await assets.getStyles("room");
const styles = [html, style.headers["content-type"]];
await app.close();
console.log(JSON.stringify([...templates, ...styles]));
`;

test("in development the loader of a public page is given where the app is, whatever the address, and style sheets are files", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", SCRIPT]);
  const [site, admin, link, type] = JSON.parse(stdout.split("\n").find((line) => line.startsWith("[")) ?? "");
  expect(site).toContain('data-app="/src/entry-client.tsx"');
  expect(admin).not.toContain("data-app");
  expect([link, type]).toEqual(['<link rel="stylesheet" href="/src/voice/voice.css">', "text/css"]);
});
