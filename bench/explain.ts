import { runJest } from "./run-jest.ts";

/** `npm run bench:explain`: the plans of every list over a million rows a table; `npm test` asks the same of fewer. */
runJest(["server/content/list/explain.test.ts"], { FOYER_EXPLAIN_ROWS: "1000000" });
