import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import type { Language } from "#contract/languages.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { INVALID_RESUMES } from "#test/resumes/samples.ts";
import { importInto, readRows, readSample } from "../test-cv.ts";
import { ResumeError, toFaultText } from "./faults.ts";
import { decodeResume, MAX_FILE_BYTES, parseResume, readFileBytes } from "./resume-file.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

async function findFaults(given: unknown, lang: Language = "en"): Promise<readonly string[]> {
  try {
    await importInto(database.pool, given, lang);
    return [];
  } catch (error) {
    if (error instanceof ResumeError) return error.faults.map((fault) => toFaultText(fault, "en"));
    throw error;
  }
}

const DATE = "a date such as 2024, 2024-05 or 2024-05-31";

test("every fault of a file is named with its path, and nothing is written", async () => {
  const faults = await findFaults(await readSample(INVALID_RESUMES.manyFaults));
  expect([...faults].sort()).toEqual(
    [
      '$schema: expected a whole address such as https://example.com/, found "not an address"',
      "basics.name: expected a text, found 5",
      'basics.email: expected an e-mail address such as jane@example.com, found "jane at example"',
      'basics.url: expected a whole address such as https://example.com/, found "www.example.com"',
      `work[0].startDate: expected ${DATE}, found "2023-9-28"`,
      "work[0].endDate: expected a text, found null",
      `work[1].startDate: expected ${DATE}, found "Present"`,
      "work[1].highlights[1]: expected a text, found 7",
      `work[2].startDate: expected ${DATE} that the calendar has, found "2023-02-29"`,
      `work[2].endDate: expected ${DATE} that the calendar has, found "2024-13"`,
      "education: expected a list",
      'certificates[0]: expected an object, found "no object"',
    ].sort(),
  );
  for (const table of ["cv_profile", "cv_experience", "cv_education", "cv_certificate"]) {
    expect(await readRows(database.pool, table)).toEqual([]);
  }
  expect((await database.pool.query("SELECT FROM audit_entry")).rowCount).toBe(0);
});

const deep = (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`;

test.each<[string, unknown, string]>([
  [
    "a text that is too long",
    { work: [{ name: "x".repeat(201) }] },
    "work[0].name: expected at most 200 characters, not 201",
  ],
  [
    "an entry of a list that is too long",
    { work: [{ highlights: ["ok", "x".repeat(1001)] }] },
    "work[0].highlights[1]: expected at most 1000 characters, not 1001",
  ],
  [
    "too many entries",
    { work: [{ highlights: Array.from({ length: 101 }, () => "x") }] },
    "work[0].highlights: expected at most 100 entries, not 101",
  ],
  [
    "U+0000 in a text",
    { basics: { name: "a\0b" } },
    'basics.name: expected a text without U+0000 and broken characters, found "a\\u0000b"',
  ],
  [
    "half a surrogate pair",
    '{"x": {"y z": ["\\ud800"]}}',
    'x["y z"][0]: expected a text without U+0000 and broken characters, found "\\ud800"',
  ],
  [
    "U+0000 in a key",
    { meta: { "a\0": 1 } },
    'meta["a\\u0000"]: expected a key without U+0000 and broken characters',
  ],
  [
    "a number that would be rounded",
    '{"x": 12345678901234567890}',
    "x: expected a number of at most 15 digits (or write it as a text)",
  ],
  [
    "a number beyond all bounds",
    '{"x": 1e999}',
    "x: expected a number of at most 15 digits (or write it as a text)",
  ],
  ["a list as the file", "[]", "the file: expected an object"],
  [
    "nesting without end",
    deep(100),
    `${"a.".repeat(64).slice(0, -1)}: expected at most 64 levels of nesting`,
  ],
  [
    "a day that doesn't exist",
    { certificates: [{ date: "2024-06-31" }] },
    `certificates[0].date: expected ${DATE} that the calendar has, found "2024-06-31"`,
  ],
])("%s is refused at its path", async (_name, given, fault) => {
  expect(await findFaults(given)).toEqual([fault]);
});

test("blank dates and addresses count as absent", async () => {
  const blank = { endDate: "", url: " ", startDate: "2020" };
  expect(await findFaults({ basics: { email: "", url: "" }, work: [blank], volunteer: [blank] })).toEqual([]);
  const [row] = await readRows(database.pool, "cv_experience");
  expect(row).toMatchObject({ start_date: "2020", end_date: null, url: null });
});

describe("a text that is no JSON", () => {
  test.each([
    ["{", "line 1, column 2: expected a key in double quotes or }, found the end of the file"],
    [
      '{"a": 1,}',
      'line 1, column 9: expected a key in double quotes (no comma before a closing bracket), found "}"',
    ],
    [
      '{\n  "a": [1, 2\n  "b": 3\n}',
      'line 3, column 3: expected a comma or a closing bracket, found "\\"b\\": 3"',
    ],
    ["{'a': 1}", "line 1, column 2: expected a key in double quotes or }, found \"'a': 1}\""],
    ['{"a": 01}', 'line 1, column 7: expected a value (no comma before a closing bracket), found "01}"'],
    [
      '{"a": "tab\there"}',
      'line 1, column 7: expected a value (no comma before a closing bracket), found "\\"tab\\there\\"}"',
    ],
    ['{"a" 1}', 'line 1, column 6: expected a colon, found "1}"'],
    ["{} {}", 'line 1, column 4: expected nothing more, found "{}"'],
    ["[1}", 'line 1, column 3: expected a comma or a closing bracket, found "}"'],
    ["", "line 1, column 1: expected a value (no comma before a closing bracket), found the end of the file"],
  ])("%j is refused with line and column", (text, fault) => {
    expect(() => parseResume(text)).toThrow(`  - ${fault}`);
  });

  test("a comma too many in a real file is found", async () => {
    expect(await findFaults(await readSample(INVALID_RESUMES.trailingComma))).toEqual([
      'line 4, column 45: expected a value (no comma before a closing bracket), found "] }"',
    ]);
  });
});

describe("bytes", () => {
  test("a byte order mark is no part of the text", () => {
    expect(decodeResume(new TextEncoder().encode('\uFEFF{"a":1}'))).toBe('{"a":1}');
  });

  test("a byte order mark of UTF-16 tells how to read them", () => {
    const text = Buffer.from('\uFEFF{"a":"ş"}', "utf16le");
    expect(decodeResume(text)).toBe('{"a":"ş"}');
    expect(decodeResume(Buffer.from(text).swap16())).toBe('{"a":"ş"}');
  });

  test("anything else is refused", () => {
    expect(() => decodeResume(Buffer.from('{"a": "\xe7"}', "latin1"))).toThrow(
      "the file is no text in UTF-8",
    );
  });

  test("more than 5 MB is refused", () => {
    expect(() => decodeResume(new Uint8Array(MAX_FILE_BYTES + 1))).toThrow("larger than 5 MB");
  });

  test("a missing file is named", async () => {
    await expect(readFileBytes("/nowhere/resume.json", MAX_FILE_BYTES)).rejects.toThrow(
      "/nowhere/resume.json: there is no such file",
    );
    await expect(readFileBytes("/tmp", MAX_FILE_BYTES)).rejects.toThrow("/tmp: it is a folder");
  });
});
