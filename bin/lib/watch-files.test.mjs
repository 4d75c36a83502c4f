import { once } from "node:events";
import { renameSync, watch } from "node:fs";
import { join } from "node:path";
import { setImmediate, setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "./test-folder.mjs";
import { watchServerFiles } from "./watch-files.mjs";

let folder;
let unwatch;
let changes;
/** Runs when files have been quiet for long enough, which the test decides. */
let onQuiet;
const clock = {
  setTimeout: (run) => {
    onQuiet = run;
  },
  clearTimeout: () => {
    onQuiet = undefined;
  },
};

beforeEach(async () => {
  folder = makeTestFolder({ "server/a/one.ts": "1" });
  changes = 0;
  onQuiet = undefined;
  unwatch = watchServerFiles(
    () => {
      changes += 1;
    },
    [join(folder.root, "server")],
    clock,
  );
  await sleep(50);
});
afterEach(() => {
  unwatch();
  folder.remove();
});

async function waitForChange(number) {
  while (!onQuiet) await sleep(5);
  // All events of one write come in one turn.
  await setImmediate();
  expect(changes).toBe(number - 1);
  onQuiet();
  expect(changes).toBe(number);
  onQuiet = undefined;
}

test("a file that is replaced by rename again and again is noticed each time", async () => {
  for (const number of [1, 2, 3]) {
    folder.write("server/a/one.new", String(number));
    renameSync(join(folder.root, "server/a/one.new"), join(folder.root, "server/a/one.ts"));
    await waitForChange(number);
  }
});

test("a file in a new folder is noticed", async () => {
  folder.write("server/b/two.ts", "2");
  await waitForChange(1);
  folder.write("server/b/two.ts", "3");
  await waitForChange(2);
});

test("a test file is no change", async () => {
  const other = watch(join(folder.root, "server/a"));
  const heard = once(other, "change");
  folder.write("server/a/one.test.ts", "");
  await heard;
  await setImmediate();
  other.close();
  expect(onQuiet).toBeUndefined();
  expect(changes).toBe(0);
});
