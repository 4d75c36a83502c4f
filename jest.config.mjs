const shared = {
  extensionsToTreatAsEsm: [".ts", ".tsx"],
  transform: {
    "^.+\\.tsx?$": [
      "@swc/jest",
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
  moduleNameMapper: { "\\.css(\\?raw)?$": "<rootDir>/test/empty-css.ts" },
  testPathIgnorePatterns: ["/node_modules/", "/test/e2e/", "/data/", "/dist/"],
  modulePathIgnorePatterns: ["<rootDir>/data/", "<rootDir>/dist/", "<rootDir>/.cache/"],
};

/** Two projects: everything that runs in Node, and what draws in a browser. */
export default {
  // Machines are shared: a first initdb has taken more than Jest's 5 s.
  testTimeout: 60_000,
  // Modules that were loaded for one file are never let go: without it the process outgrows its heap after some hundred files.
  workerIdleMemoryLimit: "1500MB",
  projects: [
    {
      ...shared,
      displayName: "node",
      testEnvironment: "node",
      globalSetup: "<rootDir>/test/global-setup.ts",
      globalTeardown: "<rootDir>/test/global-teardown.ts",
      testMatch: ["<rootDir>/{server,contract,bin,resources,bench,test,locales}/**/*.test.{ts,mjs}"],
    },
    {
      ...shared,
      displayName: "browser",
      testEnvironment: "jsdom",
      setupFiles: ["<rootDir>/test/browser-globals.ts"],
      testMatch: ["<rootDir>/{src,providers}/**/*.test.{ts,tsx}"],
    },
  ],
};
