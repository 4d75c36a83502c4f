import { chownSync, lstatSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { giveBackToSite, giveTree, run, runOrFail, toLocalUrl, waitForSite } from "./system.ts";

const isRoot = process.getuid?.() === 0;
const SITE = 61_234;

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "foyer-upkeep-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const uidOf = (name: string) => lstatSync(join(folder, name)).uid;

// Counted as skipped where the tests don't run as root.
(isRoot ? test : test.skip)(
  "what root's commands made goes to the site's account, but for the database and what links lead to",
  async () => {
    mkdirSync(join(folder, "data/postgres"), { recursive: true });
    mkdirSync(join(folder, "data/mail"));
    for (const name of [
      "data/keys.json",
      "data/mail/1.eml",
      "data/postgres/PG_VERSION",
      "outside",
      "data/own",
    ])
      writeFileSync(join(folder, name), "");
    symlinkSync(join(folder, "outside"), join(folder, "data/link"));
    chownSync(join(folder, "data"), SITE, SITE);
    chownSync(join(folder, "data/own"), 61_235, SITE);
    await giveBackToSite(join(folder, "data"));
    expect(["data/keys.json", "data/mail", "data/mail/1.eml", "data/link"].map(uidOf)).toEqual([
      SITE,
      SITE,
      SITE,
      SITE,
    ]);
    expect(["outside", "data/postgres/PG_VERSION", "data/own"].map(uidOf)).toEqual([0, 0, 61_235]);

    await giveTree(join(folder, "data"), { uid: SITE, gid: SITE });
    expect(["data/postgres/PG_VERSION", "data/own", "outside"].map(uidOf)).toEqual([SITE, SITE, 0]);
  },
);

test("a folder of root's, and one that isn't there, stay as they are", async () => {
  writeFileSync(join(folder, "file"), "");
  const before = uidOf("file");
  await giveBackToSite(folder);
  await giveBackToSite(join(folder, "none"));
  expect(uidOf("file")).toBe(before);
});

test("a program that fails is told with its output, one that isn't there by its name", async () => {
  const fail = runOrFail("The build", run, ["sh", "-c", "echo why >&2; exit 4"], { cwd: "/" });
  await expect(fail).rejects.toThrow("The build failed (exit code 4):\nwhy");
  expect((await run("no-such-program", [], { cwd: "/" })).code).toBe(127);
});

test("a site is asked where it listens, every address being this machine", () => {
  expect(toLocalUrl({ host: "0.0.0.0", port: 3000 })).toBe("http://127.0.0.1:3000");
  expect(toLocalUrl({ host: "::", port: 3000 })).toBe("http://[::1]:3000");
  expect(toLocalUrl({ host: "127.0.0.2", port: 80 })).toBe("http://127.0.0.2:80");
});

/** A request that gets no answer. */
const NONE = 0;

test("a site works when its database answers and its CV is there, moved or not; a slow or failing CV is asked for again", async () => {
  const statuses: Record<string, number[]> = {
    "/api/health/ready": [503, 503, 200],
    "/cv": [200, 404, 301, 301],
    "/resume?x=1": [200, 404],
  };
  const asked: string[] = [];
  const server = createServer(({ url = "" }, response) => {
    asked.push(url);
    const status = statuses[url]?.shift() ?? 404;
    if (status === NONE) return void response.destroy();
    response.writeHead(status, status === 301 ? { location: "https://own.example/resume?x=1" } : {}).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  try {
    const limits = { limitMs: Number.POSITIVE_INFINITY, sleep: async () => undefined };
    expect(await waitForSite(url, limits)).toBe(true);
    expect(asked).toEqual(["/api/health/ready", "/api/health/ready", "/api/health/ready", "/cv"]);
    statuses["/api/health/ready"] = [200, 200, 200];
    for (const isWell of [false, true, false]) expect(await waitForSite(url, limits)).toBe(isWell);
    expect(await waitForSite(url, { ...limits, hasFailed: async () => true })).toBe(false);

    statuses["/api/health/ready"] = [200, 200, 200];
    statuses["/cv"] = [NONE, 503, 200];
    expect(await waitForSite(url, limits)).toBe(true);
    statuses["/api/health/ready"] = [200];
    statuses["/cv"] = [500];
    expect(await waitForSite(url, { ...limits, limitMs: Number.NEGATIVE_INFINITY })).toBe(false);
    expect(statuses["/cv"]).toEqual([]);
  } finally {
    await new Promise((resolve) => server.close(resolve));
  }
});

test("a program that takes too long is ended with all that it started, which would keep its outputs open", async () => {
  const { code, output } = await run("sh", ["-c", "echo begun; sleep 600 & exec sleep 600"], {
    cwd: folder,
    timeoutMs: 500,
  });
  expect(code).toBe(1);
  expect(["begun", ""]).toContain(output);
});
