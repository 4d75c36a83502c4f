import { expect, test } from "@jest/globals";
import { parseConfig } from "../config.ts";
import { parseLaunched, toLaunchedText } from "./launched.ts";
import { hasOwnDatabase, readCount } from "./read-count.ts";

const noFile = () => ({});

test.each([
  [["--processes", "2"], {}, {}, 2],
  [["--processes=2"], {}, {}, 2],
  [["--processes", "1"], { FOYER_PROCESSES: "4" }, {}, 1],
  [[], { FOYER_PROCESSES: "4" }, {}, 4],
  [[], {}, { FOYER_PROCESSES: "4" }, 4],
  [[], { FOYER_PROCESSES: "1" }, { FOYER_PROCESSES: "4" }, 1],
  [["something", "--else"], {}, {}, 1],
  // One of several starts no others.
  [[], { FOYER_PROCESSES: "4", FOYER_PROCESS: "2/4 joining x" }, {}, 1],
])("%j with %j and the file %j: %i", (args, environment, file, count) => {
  expect(readCount(args, environment, () => file)).toBe(count);
});

test.each([[["--processes", "many"]], [["--processes"]], [["--processes", ""]], [["--processes=65"]]])(
  "%j is refused by the start, which names the setting",
  (args) => {
    const environment: NodeJS.ProcessEnv = {};
    expect(readCount(args, environment, noFile)).toBe(1);
    expect(() => parseConfig(environment)).toThrow(/FOYER_PROCESSES.*whole number of processes from 1 to 64/);
  },
);

test("a file that can't be read is left to the start", () => {
  const count = readCount([], {}, () => {
    throw new Error("it is a folder");
  });
  expect(count).toBe(1);
});

test.each([
  [{}, {}, true],
  [{ DATABASE_URL: "postgresql://a/b" }, {}, false],
  [{}, { DATABASE_URL: "postgresql://a/b" }, false],
  // As the settings are read: the environment wins, and what is empty isn't set.
  [{ DATABASE_URL: "" }, { DATABASE_URL: "postgresql://a/b" }, true],
])("with %j and the file %j the database is the built-in one: %j", (environment, file, isOwn) => {
  expect(hasOwnDatabase(environment, () => file)).toBe(isOwn);
});

test("npm run dev has one process", () => {
  const environment: NodeJS.ProcessEnv = { FOYER_DEV: "1" };
  expect(readCount(["--processes", "2"], environment, noFile)).toBe(1);
  expect(() => parseConfig(environment)).toThrow(/FOYER_PROCESSES.*must be 1 with npm run dev/);
});

test("what the launcher says to a process is read as it was said", () => {
  const launched = { number: 2, count: 3, isJoining: true, secret: "a-secret" };
  expect(parseLaunched(toLaunchedText(launched))).toEqual(launched);
  const config = parseConfig({ FOYER_PROCESS: toLaunchedText(launched), TURN: "local" });
  expect(config.launched).toEqual(launched);
  expect(config.turnSecret).toBe("a-secret");
  expect(() => parseConfig({ FOYER_PROCESS: "2" })).toThrow(/FOYER_PROCESS.*leave it out/);
});
