import { runJest } from "./run-jest.ts";

/** `npm run bench:properties`: the tests of random input with as many runs as only a quiet hour has. */
const FILES = [
  "server/content/list/filters-random.test.ts",
  "server/content/list/injection.test.ts",
  "server/content/list/cursor-walk.test.ts",
  "server/content/exports/formats.test.ts",
  "server/cv/import/sequences.test.ts",
  "server/mail/reports/histories.test.ts",
  "server/mail/suppressions/unsubscribe.test.ts",
  "src/admin/refine-traps/address.test.tsx",
];

runJest(FILES, { FOYER_PROPERTY_RUNS: "long" });
