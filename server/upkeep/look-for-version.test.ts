import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { AppError } from "#server/base/errors.ts";
import { createTestApp } from "#test/app.ts";
import { createVersionLook } from "./look-for-version.ts";
import { type Run, run } from "./system.ts";

let folder: string;
let root: string;
let nowMs: number;
let calls: string[];

const git = (cwd: string, ...args: string[]) =>
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.org", ...args], {
    cwd,
    encoding: "utf8",
  });

function release(name: string): void {
  const origin = join(folder, "origin");
  writeFileSync(join(origin, "version.txt"), name);
  git(origin, "add", "-A");
  git(origin, "commit", "-qm", name);
  git(origin, "tag", "-a", "-m", name, name);
}

const countedRun: Run = (file, args, options) => {
  calls.push(args.includes("ls-remote") ? "ls-remote" : "merge-base");
  return run(file, args, options);
};

function openLook() {
  const look = createVersionLook({ root, run: countedRun, steadyMs: () => nowMs });
  if (!look) throw new Error("no clone");
  return look;
}

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foyer-look-"));
  root = join(folder, "clone");
  nowMs = 0;
  calls = [];
  git(folder, "init", "-q", "-b", "main", "origin");
  release("v0.9.0");
  git(folder, "clone", "-q", join(folder, "origin"), root);
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

test("a newer version is found without being fetched, and the newest one is none", async () => {
  expect(await openLook()()).toEqual({ newer: null });
  release("v0.10.0");
  git(join(folder, "origin"), "tag", "v1.0.0-beta");
  expect(await openLook()()).toEqual({ newer: "v0.10.0" });
  expect(git(root, "tag")).toBe("v0.9.0\n");
  git(root, "pull", "-q", "--tags");
  writeFileSync(join(root, "mine.txt"), "a change of the owner's on top");
  git(root, "add", "-A");
  git(root, "commit", "-qm", "mine");
  expect(await openLook()()).toEqual({ newer: null });
});

test("an answer is good for a minute, also for those who ask at the same time", async () => {
  const look = openLook();
  await Promise.all([look(), look()]);
  release("v1.0.0");
  nowMs = 59_999;
  expect(await look()).toEqual({ newer: null });
  expect(calls).toEqual(["ls-remote", "merge-base"]);
  nowMs = 60_000;
  expect(await look()).toEqual({ newer: "v1.0.0" });
});

test("a version whose commit is there before its tag is installed", async () => {
  const origin = join(folder, "origin");
  git(origin, "tag", "-a", "-m", "later", "v1.0.0");
  git(origin, "tag", "v0.9.5");
  expect(git(root, "tag")).toBe("v0.9.0\n");
  expect(await openLook()()).toEqual({ newer: null });
});

const readReason = async (look: () => Promise<unknown>) => {
  const failure: unknown = await look().catch((error: unknown) => error);
  expect(failure).toMatchObject({ code: "version_unknown" });
  return (failure as AppError).vars.reason;
};

test("an origin that can't be asked is told in git's words, without a password, and asked again at once", async () => {
  git(root, "remote", "set-url", "origin", "ssh://git@127.0.0.1:9/foyer.git");
  expect(await readReason(openLook())).toMatch(/127\.0\.0\.1.*Could not read from remote repository/);

  const outputs = ["fatal: 'https://ada:secret@git.example.org/foyer.git/' not found", ""];
  const look = createVersionLook({
    root,
    run: async () => ({ code: 128, output: outputs.shift() ?? "" }),
    steadyMs: () => nowMs,
  });
  expect(await readReason(look as () => Promise<unknown>)).toBe(
    "fatal: 'https://git.example.org/foyer.git/' not found",
  );
  expect(await readReason(look as () => Promise<unknown>)).toBe("nothing within 20 s");
});

test("git gets the site's proxies, and none of its secrets", async () => {
  const before = { ...process.env };
  const seen: NodeJS.ProcessEnv[] = [];
  Object.assign(process.env, { https_proxy: "http://127.0.0.1:3128", SMTP_URL: "smtp://secret" });
  try {
    await createVersionLook({
      root,
      run: async (_file, _args, { env = {} }) => {
        seen.push(env);
        return { code: 0, output: "" };
      },
      steadyMs: () => nowMs,
    })?.();
  } finally {
    process.env = before;
  }
  expect(seen).toEqual([expect.objectContaining({ https_proxy: "http://127.0.0.1:3128" })]);
  expect(seen[0]).not.toHaveProperty("SMTP_URL");
});

test("what is no clone can't be asked", () => {
  expect(createVersionLook({ root: folder, run, steadyMs: () => nowMs })).toBeUndefined();
});

test("staff ask for it, from a site that is a clone, and a failure is said in their language", async () => {
  let outcome: () => Promise<{ newer: string | null }> = async () => ({ newer: "v2.0.0" });
  const [site, plain] = await Promise.all([
    createTestApp({ lookForVersion: () => outcome() }),
    createTestApp(),
  ]);
  try {
    const ask = async (on: typeof site, level: number, method: "GET" | "POST" = "POST") => {
      const { authorization } = await on.signInAs(level, `ask_${level}_${method}`);
      const url = method === "POST" ? "/api/health/version/" : "/api/health/";
      return on.app.inject({ method, url, headers: { authorization, "accept-language": "tr" } });
    };
    expect((await ask(site, 10)).json()).toEqual({ newer: "v2.0.0" });
    expect((await ask(site, 10, "GET")).json().version_check).toBe(true);
    expect((await ask(site, 9)).statusCode).toBe(403);
    expect((await site.app.inject({ method: "POST", url: "/api/health/version/" })).statusCode).toBe(401);
    expect((await ask(plain, 10)).statusCode).toBe(404);
    expect((await ask(plain, 10, "GET")).json().version_check).toBe(false);
    outcome = async () => {
      throw new AppError("version_unknown", { vars: { reason: "no route" } });
    };
    const failed = await ask(site, 999);
    expect(failed.statusCode).toBe(503);
    expect(failed.json().message).toContain("git şöyle dedi: no route");
  } finally {
    await Promise.all([site.close(), plain.close()]);
  }
});
