import { existsSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { FOR_BUILDING, FOR_RUNNING, openInstallState } from "./install-state.mjs";
import { makeTestFolder } from "./test-folder.mjs";

/** No process has it: above the largest id that Linux gives. */
const DEAD_PID = 2 ** 22 + 1;

describe("the state of the packages", () => {
  let folder;
  let state;

  beforeEach(() => {
    folder = makeTestFolder({ "package-lock.json": "{}" });
    state = openInstallState(folder.root);
  });
  afterEach(() => folder.remove());

  function install() {
    state.begin(DEAD_PID);
    folder.write("node_modules/.package-lock.json", "{ npm's list }");
    state.end();
    state.markFresh(FOR_BUILDING);
  }

  test("a fresh clone is neither fresh nor half done", () => {
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
    expect(state.isHalfDone()).toBe(false);
  });

  test("a good install is fresh", () => {
    install();
    expect(state.isFresh(FOR_BUILDING)).toBe(true);
    expect(state.isHalfDone()).toBe(false);
  });

  test("another lock file makes an install stale", () => {
    install();
    folder.write("package-lock.json", "{ another }");
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
    expect(state.isHalfDone()).toBe(false);
  });

  test("packages that only run are not enough to build; those that build can run", () => {
    install();
    expect(state.isFresh(FOR_RUNNING)).toBe(true);
    state.markFresh(FOR_RUNNING);
    expect(state.isFresh(FOR_RUNNING)).toBe(true);
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
  });

  test("npm run by hand makes an install stale", () => {
    install();
    folder.write("node_modules/.package-lock.json", "{ less }");
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
  });

  test("a first install that was killed is half done", () => {
    state.begin(DEAD_PID);
    expect(state.isHalfDone()).toBe(true);
    expect(state.getBusyPid()).toBeUndefined();
  });

  test("an update that was killed is half done, also after the lock file went back", () => {
    install();
    state.begin(DEAD_PID);
    expect(state.isHalfDone()).toBe(true);
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
  });

  test("packages of an npm that was killed without the launcher are half done", () => {
    folder.write("node_modules/left-pad/package.json", "{}");
    expect(state.isHalfDone()).toBe(true);
  });

  test("packages that somebody installed by hand are kept", () => {
    folder.write("node_modules/.package-lock.json", "{ npm's list }");
    expect(state.isFresh(FOR_BUILDING)).toBe(false);
    expect(state.isHalfDone()).toBe(false);
  });

  test("another program under npm's old process id does not count as npm", () => {
    state.begin(1);
    expect(state.getBusyPid()).toBe(process.platform === "linux" ? undefined : 1);
  });

  test("removal leaves nothing", () => {
    install();
    state.removePackages();
    expect(existsSync(join(folder.root, "node_modules"))).toBe(false);
  });
});
