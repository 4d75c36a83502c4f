import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { NODE_MODULES, ROOT } from "./paths.mjs";
import { checkPrograms, judgeAudit, readProgramList } from "./supply.mjs";
import { makeTestFolder } from "./test-folder.mjs";

describe("programs that come by npm", () => {
  let folder;
  const sha256 = createHash("sha256").update("the program").digest("hex");
  const list = { "node-x": { version: "1.0.0", files: { "bin/node": sha256 } } };
  const check = () => checkPrograms(join(folder.root, "node_modules"), list);
  beforeEach(() => {
    folder = makeTestFolder({
      "node_modules/node-x/package.json": '{"version":"1.0.0"}',
      "node_modules/node-x/bin/node": "the program",
    });
  });
  afterEach(() => folder.remove());

  test("one that is as the list says passes", () => check());

  test("one that was changed stops the start, with its name and what to do", async () => {
    writeFileSync(join(folder.root, "node_modules/node-x/bin/node"), "the program, and more");
    await expect(check()).rejects.toThrow(/node-x\/bin\/node is not the program .* Remove node_modules/);
  });

  test("another version than the list's, and a package that isn't there, are nobody's fault", async () => {
    writeFileSync(join(folder.root, "node_modules/node-x/package.json"), '{"version":"1.0.1"}');
    writeFileSync(join(folder.root, "node_modules/node-x/bin/node"), "another program");
    await check();
    await checkPrograms(folder.root, list);
  });

  test("those of this machine are as the list says, and the list has the versions that package.json pins", async () => {
    await checkPrograms(NODE_MODULES);
    const { optionalDependencies } = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
    const listed = Object.entries(readProgramList()).map(([name, { version }]) => [name, version]);
    expect(Object.fromEntries(listed)).toEqual(optionalDependencies);
  });
});

describe("an audit", () => {
  const toReport = (vulnerabilities) => JSON.stringify({ auditReportVersion: 2, vulnerabilities });
  const fault = (severity) => ({ name: "left-pad", severity, via: [{ title: "It pads too far" }, "other"] });

  test.each(["high", "critical"])("fails on a fault that is %s, and names it", (severity) => {
    expect(() => judgeAudit(toReport({ "left-pad": fault(severity) }))).toThrow(
      `left-pad: ${severity}, It pads too far`,
    );
  });

  test("passes where there are smaller ones alone", () => {
    expect(judgeAudit(toReport({ "left-pad": fault("moderate") }))).toContain("1 have a smaller one");
  });

  test.each([
    ["a registry without audits", '{"statusCode":405,"body":""}', "(405)"],
    ["no network", "npm error code ENOTFOUND", "not looked up"],
    ["no npm", "", "not looked up"],
  ])("says that nothing was looked up, and passes, with %s", (_, output, words) => {
    expect(judgeAudit(output)).toContain(words);
  });
});
