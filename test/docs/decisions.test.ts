import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "@jest/globals";

const FOLDER = join(import.meta.dirname, "../../docs/decisions");
const INDEX = readFileSync(join(FOLDER, "README.md"), "utf8");
const FILES = readdirSync(FOLDER).filter((file) => file !== "README.md");

const DAY = String.raw`2\d{3}-\d\d-\d\d`;
/** What every record begins with; an entry of the list goes on in lines that are indented. */
const HEAD = new RegExp(
  String.raw`^# (?<number>\d+)\. (?<title>.+)\n\n` +
    String.raw`- \*\*Date\*\*: (?<date>${DAY})\n` +
    String.raw`- \*\*Status\*\*: (?<status>.+(\n  .+)*)\n` +
    String.raw`- \*\*Alternatives\*\*: (?<alternatives>.+(\n  .+)*)\n\n`,
);
const STATUS = new RegExp(String.raw`^(accepted|superseded by \d+)(; amended (by \d+|${DAY}): [^;]+)*$`);

function readHead(file: string) {
  const found = HEAD.exec(readFileSync(join(FOLDER, file), "utf8"))?.groups;
  if (!found) return undefined;
  const { number, title, date, status = "", alternatives = "" } = found;
  return { number: Number(number), title, date, status: status.replaceAll(/\s+/g, " "), alternatives };
}

test.each(FILES)("%s says date, status and what else was weighed", (file) => {
  const head = readHead(file);
  expect(head).toBeDefined();
  expect(head?.status).toMatch(STATUS);
  expect(head?.alternatives).toMatch(/\w+ \w+/);
});

test.each(FILES)(
  "%s is amended and superseded by later records, and no earlier than it was written",
  (file) => {
    const { number = 0, date = "", status = "" } = readHead(file) ?? {};
    const numbers = [...status.matchAll(/by (\d+)/g)].map(([, by]) => Number(by));
    const dates = [...status.matchAll(new RegExp(DAY, "g"))].map(([day]) => day);
    expect(numbers.filter((by) => by > FILES.length || by <= number)).toEqual([]);
    expect(dates.filter((day) => day < date)).toEqual([]);
  },
);

test("they are numbered from 1 without a gap, and a file's name begins with its record's number", () => {
  expect(FILES.map((file) => readHead(file)?.number)).toEqual(FILES.map((_, index) => index + 1));
  expect(FILES.map((file) => Number(file.slice(0, 3)))).toEqual(FILES.map((_, index) => index + 1));
});

test("the index has a row for each, in their order", () => {
  const rows = INDEX.split("\n").filter((line) => /^\| \d/.test(line));
  const wanted = FILES.map((file) => {
    const { number, title, date } = readHead(file) ?? {};
    return `| ${number} | [${title}](${file}) | ${date} |`;
  });
  expect(rows).toEqual(wanted);
});
