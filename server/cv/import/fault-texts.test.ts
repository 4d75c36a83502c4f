import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { strToU8, zipSync } from "fflate";
import { LANGUAGES } from "#contract/languages.ts";
import en from "#locales/en/import-faults.json" with { type: "json" };
import tr from "#locales/tr/import-faults.json" with { type: "json" };
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { type FaultText, ResumeError, toFaultText } from "../resume/faults.ts";
import { MAX_FILE_BYTES, readFileBytes } from "../resume/resume-file.ts";
import { openImports } from "../test-cv.ts";
import { readImported } from "./linkedin.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const zip = (files: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)])));
const list = <Entry>(length: number, entry: Entry) => Array.from({ length }, () => entry);
const PROFILE = "First Name\nAda\n";

/** Files that can't be imported, each for reasons of its own. */
const FAULTY: readonly (string | object | Uint8Array)[] = [
  "[]",
  { name: "some-package", version: "1.0.0" },
  { $schema: "https://biomejs.dev/schemas/2.0.0/schema.json", linter: {} },
  { meta: {}, panels: [] },
  {
    basics: { name: 5, email: "jane at example", url: "www.example.com" },
    work: [{ startDate: "May 2020" }, { endDate: "2024-13" }, { name: "x".repeat(201) }, "no object"],
    education: "no list",
  },
  { work: [{ highlights: list(101, "x") }] },
  { skills: list(1001, { name: "x" }) },
  { basics: { name: "a\0b" } },
  { meta: { "a\0": 1 } },
  '{"x": 12345678901234567890}',
  `${'{"a":'.repeat(100)}1${"}".repeat(100)}`,
  ...'{|[|[1 2]|{1}|{\'a\'}|{"a" 1}|{} {}|[1,]|{"a":1,}'.split("|"),
  new Uint8Array([0x7b, 0xe7, 0x7d]),
  new Uint8Array(MAX_FILE_BYTES + 1),
  zip({ "photo.txt": "a" }),
  zip({ "Profile.csv": PROFILE }).subarray(0, 40),
  zip({ "Profile.csv": 'First Name\n"open' }),
  zip({ "Profile.csv": PROFILE, "Skills.csv": "a".repeat(6 * 1024 * 1024) }),
  zipSync(Object.fromEntries(Array.from({ length: 5001 }, (_, at) => [`${at}`, new Uint8Array()]))),
  zip({ "Profile.csv": PROFILE, "Skills.csv": `Name\n${"x".repeat(101)}\n` }),
];

async function findFaults(work: () => Promise<unknown>): Promise<readonly FaultText[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (error instanceof ResumeError) return error.faults;
    throw error;
  }
}

async function importFaulty(given: string | object | Uint8Array): Promise<void> {
  const text = typeof given === "string" ? given : JSON.stringify(given);
  const imported = readImported(given instanceof Uint8Array ? given : strToU8(text));
  await openImports(database.pool).plan({ ...imported, lang: "en", reader: "en" });
}

/** Names of a text and of those that stand in it. */
function listNames({ name, vars = {} }: FaultText): string[] {
  return [
    name,
    ...Object.values(vars).flatMap((value) => (typeof value === "object" ? listNames(value) : [])),
  ];
}

/** What no file of these meets: the console's own line, rules that JSON Resume doesn't have, a failing disk. */
const ELSEWHERE = ["more", "other", "noJson", "denied", "unreadable"];

test("every fault of a file is told in both languages, and every text is one of a fault", async () => {
  const works = [
    ...FAULTY.map((given) => () => importFaulty(given)),
    () => readFileBytes("/nowhere.json", 1),
    () => readFileBytes("/tmp", MAX_FILE_BYTES),
  ];
  const faults = [];
  for (const work of works) {
    const found = await findFaults(work);
    expect(found).not.toEqual([]);
    faults.push(...found);
  }
  expect([...new Set([...faults.flatMap(listNames), ...ELSEWHERE])].sort()).toEqual(Object.keys(en).sort());
  for (const fault of faults) {
    for (const lang of LANGUAGES) expect(toFaultText(fault, lang)).not.toMatch(/\{\{|undefined|\[object/);
    expect(toFaultText(fault, "tr")).not.toBe(toFaultText(fault, "en"));
    expect(toFaultText(fault, "tr")).not.toMatch(/expected|found|\b(?:the|file|zip has|larger)\b/);
  }
});

test("no text is the same in both languages but a form without words", () => {
  const texts: Record<string, string> = tr;
  const same = Object.entries(en).filter(([name, text]) => texts[name] === text);
  expect(same.map(([name]) => name)).toEqual(["inFile"]);
});

describe("of a LinkedIn export", () => {
  test("faults name the table that the person has", async () => {
    const [fault] = await findFaults(() => importFaulty(FAULTY.at(-1) ?? ""));
    expect(fault && LANGUAGES.map((lang) => toFaultText(fault, lang))).toEqual([
      "Skills.csv, skills[0].name: expected at most 100 characters, not 101",
      "Skills.csv, skills[0].name: 101 değil, en fazla 100 karakter olmalı",
    ]);
  });
});
