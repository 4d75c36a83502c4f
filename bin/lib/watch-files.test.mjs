import { renameSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { makeTestFolder } from "./test-folder.mjs";
import { watchServerFiles } from "./watch-files.mjs";

let folder;
let unwatch;
let changes;

beforeEach(async () => {
  folder = makeTestFolder({ "server/a/one.ts": "1" });
  changes = 0;
  unwatch = watchServerFiles(() => {
    changes += 1;
  }, [join(folder.root, "server")]);
  await sleep(50);
});
afterEach(() => {
  unwatch();
  folder.remove();
});

async function waitForChange(number) {
  for (const deadline = Date.now() + 4000; changes < number && Date.now() < deadline; ) await sleep(20);
  expect(changes).toBe(number);
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
  folder.write("server/a/one.test.ts", "");
  await sleep(400);
  expect(changes).toBe(0);
});
