import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { openReadme, PIECES, type PieceName } from "./readme.ts";

const README = readFileSync(join(import.meta.dirname, "../../README.md"), "utf8");

test.each(Object.keys(PIECES) as PieceName[])("the README says what a newcomer needs for %s", (name) => {
  expect(openReadme(README).take(name).text).not.toBe("");
});

test("a command is a line of a block of its section, without its comment; what was used is told", () => {
  const used: string[] = [];
  const text =
    "## Other\n```sh\nnpm start --no\n```\n## Start\nRun npm start:\n```sh\nnpm start   # at last\n```\n";
  expect(openReadme(text, (name) => used.push(name)).take("start").text).toBe("npm start");
  expect(used).toEqual(["start"]);
});

test("what a README no longer has is named", () => {
  expect(() => openReadme("## Start\nnpm start\n").take("start")).toThrow(
    /"Start" has no command for "start"/,
  );
  expect(() => openReadme("# Foyer\n").take("start")).toThrow(/no section "Start"/);
});

test("words are found across the ends of lines, and give the groups of their pattern", () => {
  const { groups } = openReadme(
    "## Mail and accounts\nthen `npm run foyer --\nmail test you@example.org`.\n",
  ).take("mailTest");
  expect(groups).toEqual(["npm run foyer -- mail test", "you@example.org"]);
});
