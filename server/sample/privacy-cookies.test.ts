import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { LANGUAGE_KEY, LANGUAGES } from "#contract/languages.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

const REPOSITORY = join(import.meta.dirname, "../..");

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());

/** What a log-in to the console sets, as over HTTPS and without it; of a name with a number, what stands before it. */
async function listServerCookies(): Promise<string[]> {
  const { username, password } = await site.signInAs(10);
  const answer = await site.app.inject({
    method: "POST",
    url: "/api/admin/login/",
    payload: { username, password },
  });
  expect(answer.statusCode).toBe(200);
  const names = answer.cookies.map(({ name }) => name.replace(/\d+$/, ""));
  return names.flatMap((name) => [name, name.replace(/^__(Host|Secure)-/, "")]);
}

test("the privacy notice names every cookie that the product sets, in both languages", async () => {
  const cookies = new Set([LANGUAGE_KEY, ...(await listServerCookies())]);
  expect([...cookies].sort()).toEqual([
    "__Host-foyer_device_",
    "__Secure-foyer_files",
    "foyer_device_",
    "foyer_files",
    "preferred-language",
  ]);
  for (const lang of LANGUAGES) {
    const text = await readFile(join(import.meta.dirname, `pages/privacy.${lang}.md`), "utf8");
    for (const cookie of cookies) expect(text).toContain(`\`${cookie}\``);
  }
});

test("no other place of the product sets a cookie: one that does is to be named there, and here", async () => {
  const files = [];
  for (const room of ["server", "src", "providers", "contract"]) {
    for (const name of await readdir(join(REPOSITORY, room), { recursive: true })) {
      if (!/\.tsx?$/.test(name) || /test/.test(name)) continue;
      const text = await readFile(join(REPOSITORY, room, name), "utf8");
      if (/\.setCookie\(|document\.cookie =|cookieStore|set-cookie/i.test(text)) files.push(join(room, name));
    }
  }
  expect(files.sort()).toEqual([
    "providers/browser-storage.ts",
    "server/accounts/sessions/devices.ts",
    "server/accounts/sessions/file-pass.ts",
  ]);
});
