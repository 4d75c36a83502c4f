import { execFile } from "node:child_process";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { makeTestFolder } from "../../bin/lib/test-folder.mjs";

const JEST = join(dirname(createRequire(import.meta.url).resolve("jest/package.json")), "bin/jest.js");
/** The second worker begins to listen when the first one has run a test; it ends its wait with its parent. */
const HOLD_SECOND_WORKER = `
  import { existsSync } from "node:fs";
  import { registerHooks } from "node:module";
  const wait = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
  const parent = process.ppid;
  if (process.env.TINYPOOL_WORKER_ID === "2")
    registerHooks({
      load(url, context, next) {
        if (url.includes("/tinypool/")) while (!existsSync("has-run") && process.ppid === parent) wait();
        return next(url, context);
      },
    });
`;
const LEAVE_A_TRACE = `
  import { writeFileSync } from "node:fs";
  test("runs", () => writeFileSync("has-run", ""));
`;

test("a worker that loads later than the other one gets its settings", async () => {
  const { root, remove } = makeTestFolder({
    "hold.mjs": HOLD_SECOND_WORKER,
    "one.test.mjs": LEAVE_A_TRACE,
    "two.test.mjs": LEAVE_A_TRACE,
  });
  const config = {
    rootDir: root,
    runner: join(import.meta.dirname, "plain-node-runner.mjs"),
    testMatch: ["<rootDir>/*.test.mjs"],
    transform: {},
    cacheDirectory: join(root, "cache"),
  };
  try {
    const { stderr } = await promisify(execFile)(
      process.execPath,
      [JEST, "--config", JSON.stringify(config), "--maxWorkers", "2", "--watchman=false"],
      {
        cwd: root,
        // This process may be a second worker itself.
        env: {
          ...process.env,
          TINYPOOL_WORKER_ID: undefined,
          NODE_OPTIONS: `--import=${pathToFileURL(join(root, "hold.mjs"))}`,
          FORCE_COLOR: "0",
        },
        // Ends what waits for ever.
        timeout: 120_000,
        killSignal: "SIGKILL",
      },
    );
    expect(stderr).toContain("2 passed, 2 total");
  } finally {
    remove();
  }
});
