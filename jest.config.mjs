const ignored = ["/node_modules/", "/test/e2e/", "/data/", "/dist/"];
const shared = {
  // Not in the folder for temporary files, which `npm test` has anew each time.
  cacheDirectory: "<rootDir>/.cache/jest",
  testPathIgnorePatterns: ignored,
  modulePathIgnorePatterns: ["<rootDir>/data/", "<rootDir>/dist/", "<rootDir>/.cache/"],
};

/** PostgreSQL for the tests, started once for all projects. */
const database = {
  globalSetup: "<rootDir>/test/global-setup.ts",
  globalTeardown: "<rootDir>/test/global-teardown.ts",
};

/** Files with JSX and style sheets, which Node can't read. */
const compiled = {
  ...shared,
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: {
    "^.+\\.tsx?$": [
      // @swc/jest, and what Vite's globs find.
      "<rootDir>/test/jest/glob-transform.mjs",
      {
        jsc: {
          experimental: { keepImportAttributes: true },
          target: "es2024",
          parser: { syntax: "typescript", tsx: true },
          transform: { react: { runtime: "automatic" } },
        },
        module: { type: "es6" },
      },
    ],
  },
  moduleNameMapper: {
    "\\.css(\\?raw|\\?url)?$": "<rootDir>/test/empty-css.ts",
  },
};

/** One draws pages with the server's data; the other loads drizzle-kit, which gives every array a property, so that `for … in` meets it. */
const APART = ["bench/html-budget.test.ts", "server/db/verify.test.ts"];

/**
 * What runs in Node runs in plain Node: one process a worker keeps the modules of all its test files, where Jest's own
 * runner would load them anew for each. Files therefore share modules and globals, as they do in the product's process. What draws
 * in a browser has Jest's own runner, and a window of its own in each file.
 */
export default {
  // Ends what hangs; no test measures time.
  testTimeout: 300_000,
  maxWorkers: 3,
  // Node keeps every module that was ever evaluated in a context (nodejs/node#63186): eight of 40 MB each left 325 MB. Workers of
  // Jest's own runner are therefore renewed; plain Node loads a module once.
  workerIdleMemoryLimit: "1500MB",
  reporters: ["default", "<rootDir>/bin/lib/check/jest-progress.mjs"],
  projects: [
    {
      ...shared,
      ...database,
      displayName: "node",
      runner: "<rootDir>/test/jest/plain-node-runner.mjs",
      setupFiles: ["<rootDir>/test/jest/plain-node.mjs"],
      transform: {},
      testMatch: ["<rootDir>/{server,contract,bin,resources,bench,test,locales}/**/*.test.{ts,mjs}"],
      testPathIgnorePatterns: [...ignored, ...APART],
    },
    {
      ...compiled,
      ...database,
      displayName: "apart",
      testMatch: APART.map((file) => `<rootDir>/${file}`),
    },
    {
      ...compiled,
      displayName: "browser",
      testEnvironment: "jsdom",
      setupFiles: ["<rootDir>/test/browser-globals.ts"],
      testMatch: ["<rootDir>/{src,providers}/**/*.test.{ts,tsx}"],
    },
  ],
};
