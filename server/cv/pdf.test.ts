import { existsSync } from "node:fs";
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  symlink,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { pino } from "pino";
import { createTestApp, type TestApp } from "#test/app.ts";
import { type FileStores, openStores } from "../files/stores.ts";
import { toLoopback } from "./pdf.ts";

/*
 * A program in Chromium's place, so that these tests are about what the site does with one: it notes each start with its folder and its
 * arguments, and does what it is told.
 */

const ROWS_SQL = `INSERT INTO cv_profile (name, title) VALUES ('Işıl Örnek', '{"en": "Engineer", "tr": "Mühendis"}')`;
const WRITES = `for arg; do case $arg in --print-to-pdf=*) printf '%%PDF-1.4 of %s' "$last" > "\${arg#*=}";; esac; done`;

let folder: string;
let site: TestApp | undefined;
let nowMs = 0;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foyer-pdf-test-"));
});
afterEach(async () => {
  await site?.close();
  site = undefined;
  await rm(folder, { recursive: true, force: true });
});

/** A site with a CV, and a program that does this. */
async function start(
  script: string | undefined,
  publicUrl: string | null = null,
  stores?: FileStores,
): Promise<TestApp> {
  const chromiumPath = join(folder, "chromium");
  if (script !== undefined) {
    const note = `for last; do :; done\necho "$PWD $FOYER_SECRET $*" >> '${folder}/starts'`;
    await writeFile(chromiumPath, `#!/bin/sh\n${note}\n${script}\n`);
    await chmod(chromiumPath, 0o755);
  }
  nowMs = 0;
  const opened = await createTestApp({
    setUpSql: ROWS_SQL,
    chromiumPath,
    publicUrl,
    steadyMs: () => nowMs,
    ...(stores && { stores }),
  });
  await opened.listen();
  site = opened;
  return opened;
}

const get = ({ app }: TestApp, query = "") => app.inject(`/cv.pdf${query}`);
async function readStarts(): Promise<string[]> {
  const text = await readFile(join(folder, "starts"), "utf8").catch(() => "");
  return text.split("\n").filter((line) => line !== "");
}

test("the CV is printed from the site's own address, without the site's secrets, and nothing of it stays on the disk", async () => {
  process.env.FOYER_SECRET = "do-not-tell";
  try {
    const answer = await get(await start(WRITES), "?lang=tr");
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/pdf");
    expect(answer.body).toMatch(/^%PDF-1\.4 of http:\/\/127\.0\.0\.1:\d+\/print\/[\w-]{22}\/tr$/);
  } finally {
    delete process.env.FOYER_SECRET;
  }
  const [line = ""] = await readStarts();
  expect(line).not.toContain("do-not-tell");
  expect(line).toContain("--proxy-server=http://127.0.0.1:9");
  expect(line.includes("--no-sandbox")).toBe(process.getuid?.() === 0);
  expect(existsSync(line.split(" ")[0] ?? "")).toBe(false);
});

test.each([
  ["https://own.example", ' href="https://own.example/files/a.pdf"'],
  [null, ""],
])(
  "what is printed has links that lead to the site from anywhere (public address %s)",
  async (publicUrl, href) => {
    const opened = await start(WRITES, publicUrl);
    const { body } = await get(opened);
    const path = body.slice(body.indexOf("/print/"));
    const page = await opened.app.inject(path);
    expect(page.headers["content-security-policy"]).toContain("style-src 'self' 'sha256-");
    expect(page.body).toContain(`<a class="file"${href}>`);
    expect(page.body).toContain('<a href="https://elsewhere.example/">');
    expect(page.body).not.toContain('type="module"');
  },
);

test("who asks while an older page is printed gets the newer one", async () => {
  const opened = await start(`while [ ! -e '${folder}/go' ]; do sleep 0.05; done; ${WRITES}`);
  const first = get(opened);
  while ((await readStarts()).length === 0) await sleep(20);
  await opened.database.pool.query("UPDATE cv_profile SET name = 'Işıl Yeni'");
  opened.feed.announce("cv.profile");
  const second = get(opened);
  await writeFile(join(folder, "go"), "");
  expect([(await first).statusCode, (await second).statusCode]).toEqual([200, 200]);
  expect(await readStarts()).toHaveLength(2);
});

test("what was printed while files could not be had isn't kept", async () => {
  let faults = 0;
  const local = openStores({ dataDir: folder, fileStore: undefined });
  // Each look finds one more, until the bucket is there again.
  const stores = { ...local, countFaults: () => faults++ };
  const opened = await start(WRITES, null, stores);
  expect([(await get(opened)).statusCode, (await get(opened)).statusCode]).toEqual([200, 200]);
  expect(await readStarts()).toHaveLength(2);
  stores.countFaults = () => faults;
  await get(opened);
  await get(opened);
  expect(await readStarts()).toHaveLength(3);
});

test("it is printed once, however many ask, and again when the page has changed", async () => {
  const opened = await start(WRITES);
  const answers = await Promise.all(["", "?lang=en", "?lang=de"].map((query) => get(opened, query)));
  expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200, 200]);
  expect((await get(opened)).statusCode).toBe(200);
  expect(await readStarts()).toHaveLength(1);
  await get(opened, "?lang=tr");
  expect(await readStarts()).toHaveLength(2);
  await opened.database.pool.query("UPDATE cv_profile SET name = 'Işıl Yeni'");
  opened.feed.announce("cv.profile");
  await get(opened);
  expect(await readStarts()).toHaveLength(3);
});

describe("visitors get the page", () => {
  test("where there is no Chromium", async () => {
    const opened = await start(undefined);
    const answer = await get(opened, "?lang=tr");
    expect([answer.statusCode, answer.headers.location]).toEqual([302, "/tr/cv"]);
  });

  test.each([
    ["it fails", "exit 3"],
    ["it writes nothing", "exit 0"],
    ["what it writes is no PDF", WRITES.replace("%%PDF", "<html>")],
  ])("where %s, and it isn't started for each of them", async (_what, script) => {
    const opened = await start(script);
    for (let visitor = 0; visitor < 3; visitor++) {
      const answer = await get(opened);
      expect([answer.statusCode, answer.headers.location]).toEqual([302, "/en/cv"]);
    }
    expect(await readStarts()).toHaveLength(1);
    nowMs += 60_000;
    await get(opened);
    expect(await readStarts()).toHaveLength(2);
  });
});

test("a stop ends what is printing, with all that it has started", async () => {
  const opened = await start(
    `sleep 1000 & echo $! > '${folder}/child.part'; mv '${folder}/child.part' '${folder}/child'; wait`,
  );
  const asked = get(opened).catch(() => undefined);
  while (!existsSync(join(folder, "child"))) await sleep(20);
  const pid = Number(await readFile(join(folder, "child"), "utf8"));
  await opened.close();
  site = undefined;
  await asked;
  // Whoever adopted it takes it away in a moment; a zombie runs nothing.
  const state = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => ") gone");
  expect(state.slice(state.lastIndexOf(")") + 2)).toMatch(/^(gone|Z)/);
});

test.each([
  ["0.0.0.0", "IPv4", "http://127.0.0.1:3000"],
  ["192.0.2.7", "IPv4", "http://192.0.2.7:3000"],
  ["::", "IPv6", "http://[::1]:3000"],
  ["::1", "IPv6", "http://[::1]:3000"],
  ["2001:db8::7", "IPv6", "http://[2001:db8::7]:3000"],
])("a site that listens on %s is printed from where this machine reaches it", (address, family, origin) => {
  expect(toLoopback([{ address, family, port: 3000 }])).toBe(origin);
});

test("what a process that was killed left of a print goes at the next start; what may be in use stays", async () => {
  const [old, used] = [
    await mkdtemp(join(tmpdir(), "foyer-print-")),
    await mkdtemp(join(tmpdir(), "foyer-print-")),
  ];
  try {
    await writeFile(join(old, "cv.pdf"), "half");
    const before = new Date(Date.now() - 2 * 3_600_000);
    await utimes(old, before, before);
    await start(undefined);
    expect([existsSync(old), existsSync(used)]).toEqual([false, true]);
  } finally {
    for (const left of [old, used]) await rm(left, { recursive: true, force: true });
  }
});

test("a link of such a name and a folder that can't go keep no others from going, and what a link leads to stays", async () => {
  const before = new Date(Date.now() - 2 * 3_600_000);
  const temporary = join(folder, "tmp");
  const part = Array.from({ length: 10 }, () => "x".repeat(250)).join("/");
  const aside = join(folder, "aside");
  await mkdir(join(aside, part), { recursive: true });
  // Its path is too long for a call; it is put together of two.
  const stuck = join(temporary, "foyer-print-stuck");
  await mkdir(join(stuck, part), { recursive: true });
  await rename(aside, join(stuck, part, "deep"));
  const elsewhere = join(folder, "elsewhere");
  await mkdir(elsewhere);
  await symlink(elsewhere, join(temporary, "foyer-print-link"));
  const others = ["a", "b", "c", "d"].map((name) => join(temporary, `foyer-print-${name}`));
  for (const other of others) await mkdir(other);
  for (const old of [stuck, elsewhere, ...others]) await utimes(old, before, before);

  const faults: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void faults.push(line) });
  const { TMPDIR } = process.env;
  process.env.TMPDIR = temporary;
  try {
    site = await createTestApp({ setUpSql: ROWS_SQL, log });
    await site.listen();
    const left = (await readdir(temporary)).filter((name) => name.startsWith("foyer-print-"));
    expect(left.sort()).toEqual(["foyer-print-link", "foyer-print-stuck"]);
    expect(faults.filter((line) => line.includes("ENAMETOOLONG"))).toHaveLength(1);
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
    await rename(join(stuck, part, "deep"), aside);
  }
});
