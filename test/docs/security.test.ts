import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "@jest/globals";
import {
  ASKED,
  findClaimFaults,
  findFault,
  listTests,
  ROOT,
  readClaims,
  readNamedTests,
  STATES,
} from "./read-claims.ts";

const PAGE = readFileSync(join(ROOT, "docs/security.md"), "utf8");
const CLAIMS = readClaims(PAGE);

test("every line of ASVS 5.0 of levels 1 and 2 has its row, which says how it stands, how, and what holds it", () => {
  expect(ASKED).toHaveLength(253);
  expect(findClaimFaults(CLAIMS)).toEqual([]);
});

test("every test that the page names is there", () => {
  const named = readNamedTests(PAGE);
  expect(named.length).toBeGreaterThan(300);
  expect(named.flatMap((one) => findFault(one) ?? [])).toEqual([]);
});

test("each weakness of the attack names what holds it", () => {
  const found = PAGE.split(/^- \*\*V(?=\d+\.)/m).slice(1);
  expect(found.map((text) => Number.parseInt(text, 10))).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11]);
  expect(found.filter((text) => readNamedTests(text).length === 0)).toEqual([]);
});

test("the counts by chapter are those of the rows", () => {
  const count = (claims: typeof CLAIMS) => [
    claims.length,
    ...STATES.map((state) => claims.filter((claim) => claim.state === state).length),
  ];
  const rows = [
    ...PAGE.matchAll(/^\| (?:V(\d+)|all) \|[^|]*\| (\d+) \| (\d+) \| (\d+) \| (\d+) \| (\d+) \|$/gm),
  ];
  expect(rows).toHaveLength(18);
  for (const [row, chapter, ...figures] of rows) {
    const own = chapter ? CLAIMS.filter(({ number }) => number.startsWith(`${chapter}.`)) : CLAIMS;
    expect([row, figures.map(Number)]).toEqual([row, count(own)]);
  }
});

describe("the check", () => {
  const SOURCE = `
describe("a door", () => {
  test("is shut", () => {});
  test.each([
    ["a", 1],
  ])("of %s opens %d times", () => {});
  test.skip("is painted", () => {});
});
test.each(["x"])(
  "the window of %s",
  () => {},
);
for (const name of NAMES) test(\`\${name} is "shut"\`, () => {});
(isRoot ? test : test.skip)("as root", () => {});
`;
  const read = (path: string) => (path === "a.test.ts" ? SOURCE : undefined);
  const find = (name: string) => readNamedTests(`\`${name}\``).map((one) => findFault(one, read));

  test("reads names as they are written, with their groups", () => {
    expect(listTests(SOURCE)).toEqual([
      ["a door", "is shut"],
      ["a door", "of %s opens %d times"],
      ["the window of %s"],
      // biome-ignore lint/suspicious/noTemplateCurlyInString: as it is written in a test
      ['${name} is "shut"'],
      ["as root"],
    ]);
    expect(find("a.test.ts › a door › is shut")).toEqual([undefined]);
    expect(find("a.test.ts › of %s opens %d times")).toEqual([undefined]);
  });

  test.each([
    ["a file that is gone", "b.test.ts › is shut"],
    ["a test that is gone", "a.test.ts › is open"],
    ["a test of another group", "a.test.ts › a gate › is shut"],
    ["a group without a test", "a.test.ts › a door"],
    ["a test that is skipped for good", "a.test.ts › a door › is painted"],
  ])("fails for %s", (_, name) => {
    expect(find(name)).toEqual([expect.stringMatching(/is gone|has no test/)]);
  });

  test.each([
    ["a number that is missing", "", "1.1.1 is missing"],
    [
      "one of no such level",
      "| 1.1.1 | a | **met** it is so [x](y) | [x](y) |\n| 9.9.9 | a | **n/a** there is none | – |",
      "9.9.9 is of no such level",
    ],
    [
      "one that stands twice",
      "| 1.1.1 | a | **n/a** there is none | – |\n| 1.1.1 | a | **n/a** there is none | – |",
      "1.1.1 is there twice",
    ],
    ["another state", "| 1.1.1 | a | **fine** it is so, really | – |", "1.1.1 has no state"],
    ["no reason", "| 1.1.1 | a | **n/a** | – |", "1.1.1 doesn't say how, or why not"],
    ["no proof", "| 1.1.1 | a | **met** it is so, really | – |", "1.1.1 is proven by nothing"],
  ])("fails for %s", (_, page, fault) => {
    expect(findClaimFaults(readClaims(page), ["1.1.1"])).toEqual([fault]);
  });
});
