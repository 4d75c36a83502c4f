import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, test } from "@jest/globals";
import { isFolderLocked, lockFolder } from "./folder-lock.ts";

test("one holder at a time, and a released lock can be taken again", async () => {
  const folder = `/nowhere/lock-${process.pid}`;
  const lock = await lockFolder(folder);
  expect(await isFolderLocked(folder)).toBe(true);
  await expect(lockFolder(folder)).rejects.toThrow(`another Foyer process is using ${folder}`);
  await lock.release();
  expect(await isFolderLocked(folder)).toBe(false);
  await (await lockFolder(folder)).release();
});

test("kill -9 of the holder frees it", async () => {
  const folder = `/nowhere/killed-${process.pid}`;
  const code = `import { lockFolder } from ${JSON.stringify(new URL("./folder-lock.ts", import.meta.url).pathname)};
    await lockFolder(${JSON.stringify(folder)}); console.log("held"); setInterval(() => undefined, 1000);`;
  const holder = spawn(process.execPath, ["--input-type=module-typescript", "-e", code], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  try {
    await once(holder.stdout, "data");
    await expect(lockFolder(folder)).rejects.toThrow("another Foyer process");
  } finally {
    holder.kill("SIGKILL");
  }
  await once(holder, "exit");
  await (await lockFolder(folder)).release();
});
