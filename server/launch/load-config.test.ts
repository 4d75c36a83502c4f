import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { ConfigError } from "../config.ts";
import { findMisspelt, readEnvFile } from "./load-config.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "foyer-env-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

test("a file without a byte order mark and one with it say the same", () => {
  const text = 'PORT=4000\r\nMAIL_FROM="Ada <a@example.org>"\n';
  const expected = { PORT: "4000", MAIL_FROM: "Ada <a@example.org>" };
  expect(readEnvFile(write("plain", text))).toEqual(expected);
  expect(readEnvFile(write("marked", `\uFEFF${text}`))).toEqual(expected);
});

test("no file is no fault", () => {
  expect(readEnvFile(join(folder, "absent"))).toEqual({});
});

test.each([
  ["a folder", (path: string) => mkdirSync(path), /it is a folder\. Move it away/],
  [
    "Latin-1",
    (path: string) => writeFileSync(path, Buffer.from("MAIL_FROM=Zoë <z@x.org>", "latin1")),
    /not UTF-8\. Save it/,
  ],
  ["UTF-16", (path: string) => writeFileSync(path, Buffer.from("\uFEFFPORT=1", "utf16le")), /not UTF-8/],
  ["a link to nowhere", (path: string) => symlinkSync("nowhere", path), /a link that leads nowhere/],
])("%s in its place is told in one line that says what to do", (name, make, words) => {
  const path = join(folder, name);
  make(path);
  expect(() => readEnvFile(path)).toThrow(ConfigError);
  expect(() => readEnvFile(path)).toThrow(words);
  expect(() => readEnvFile(path)).toThrow(
    expect.objectContaining({ message: expect.not.stringMatching(/\n/) }),
  );
});

test("a file that this account may not read is told so", () => {
  // Injected: root, who runs tests in containers, may read everything.
  const refuse = () => {
    throw Object.assign(new Error("EACCES: permission denied, open"), { code: "EACCES" });
  };
  expect(() => readEnvFile(".env", refuse)).toThrow(
    /^The file \.env can't be used: this account may not read it\..*chown/,
  );
});

test.each([
  ["SMPT_URL", "SMTP_URL"],
  ["smtp_url", "SMTP_URL"],
  ["PUBLIC-URL", "PUBLIC_URL"],
  ["MAILFROM", "MAIL_FROM"],
  ["TRUSTPROXIES", undefined],
  ["TRUST_PROXIES", undefined],
  ["FOYER_PORT", "PORT"],
  ["PROT", "PORT"],
  ["OWNER_MAIL", "OWNER_EMAIL"],
  ["COMPOSE_PROJECT_NAME", undefined],
])("%s in .env is told, and %s named", (name, setting) => {
  expect(findMisspelt({ [name]: "x" }, {})).toEqual([
    `.env: ${name} is no setting of Foyer's${setting ? `: did you mean ${setting}?` : "."}`,
  ]);
});

test("settings, and what libraries read, are not told", () => {
  const names = ["SMTP_URL", "HSTS", "FOYER_DATA_DIR", "NODE_EXTRA_CA_CERTS", "PGSSLMODE", "TZ", "LC_ALL"];
  expect(findMisspelt(Object.fromEntries(names.map((name) => [name, "x"])), {})).toEqual([]);
});

test("in the environment a slip of one letter is told, once", () => {
  expect(findMisspelt({}, { SMPT_URL: "x" })).toEqual([
    "SMPT_URL is no setting of Foyer's: did you mean SMTP_URL?",
  ]);
  expect(findMisspelt({ SMPT_URL: "x" }, { SMPT_URL: "x" })).toHaveLength(1);
  expect(findMisspelt({}, { FOYER_DATADIR: "x" })[0]).toContain("FOYER_DATA_DIR");
});

test("an ordinary environment raises no false alarm", () => {
  const names =
    "HOME HOSTNAME HOSTTYPE HOSTS LANG LANGUAGE LC_ALL LOGLEVEL LOGNAME MAIL MAILCHECK MAILFROM MAILTO OLDPWD PATH PORTS " +
    "PWD SHELL SHLVL SSH_AUTH_SOCK TERM TURNS USER XDG_RUNTIME_DIR DATABASE_URI INVOCATION_ID JOURNAL_STREAM INIT_CWD " +
    "npm_config_port npm_package_name npm_lifecycle_event NODE_OPTIONS HTTP_PROXY http_proxy EDITOR DEBIAN_FRONTEND " +
    "FOYER_LAUNCHED FOYER_PASSWORD FOYER_TEST_SERVER FOYER_CHROMIUM NODE_COMPILE_CACHE MALLOC_ARENA_MAX";
  expect(findMisspelt({}, Object.fromEntries(names.split(" ").map((name) => [name, "x"])))).toEqual([]);
});

test("nothing is told of a name whose setting is set beside it", () => {
  expect(findMisspelt({}, { SMTP_URLS: "x", SMTP_URL: "y" })).toEqual([]);
});
