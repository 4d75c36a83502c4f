import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { Command, CommanderError } from "commander";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { INVALID_RESUMES, RESUMES } from "#test/resumes/samples.ts";
import { registerCvCommands } from "./cli.ts";
import { emptyCv, REGISTRY } from "./test-cv.ts";

let database: TestDatabase;
let folder: string;
let closed = 0;
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "foyer-cv-"));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(() => emptyCv(database.pool));

/** Runs a command as `foyer` does and gives back what a terminal would see. */
async function run(...words: string[]): Promise<{ out: string; error: string; exitCode: number }> {
  const result = { out: "", error: "", exitCode: 0 };
  const program = new Command("foyer").exitOverride().configureOutput({
    writeOut: (text) => {
      result.out += text;
    },
    writeErr: (text) => {
      result.error += text;
    },
  });
  const close = async () => void closed++;
  registerCvCommands(program, {
    open: async () => ({ pool: database.pool, close }),
    registry: REGISTRY,
    publicUrl: undefined,
  });
  for (const command of program.commands) command.exitOverride();
  try {
    await program.parseAsync(words, { from: "user" });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    result.exitCode = error.exitCode;
  }
  return result;
}

test("an import reports each section, what isn't shown and what isn't translated", async () => {
  const { out, exitCode } = await run("import", RESUMES.engineerEn);
  expect(exitCode).toBe(0);
  expect(out).toBe(`Imported as English:
  basics        1 created
  profiles      2 created
  work          3 created
  volunteer     1 created
  education     1 created
  awards        none
  certificates  2 created
  publications  none
  skills        3 created
  languages     2 created
  interests     1 created
  references    none
  projects      none
The picture is none of this site's files and isn't downloaded: upload it under CV profile.
38 texts have no Turkish yet, the page shows the other language: basics.label, basics.tagline, basics.summary, basics.location.city, basics.location.region, work[0].position, work[0].name, work[0].location, 30 more
`);
});

test("an import says what /cv.json alone has, and of a foreign picture where to upload one", async () => {
  const file = join(folder, "odd.json");
  const profiles = [{ network: "Gopher", url: "gopher://ada.example.org" }];
  const basics = { name: "Ada", image: "https://elsewhere.example.org/ada.jpg", nickname: "A", profiles };
  await writeFile(file, JSON.stringify({ basics, pets: [{ name: "Rex" }, { name: "Tom" }] }));
  const { out } = await run("import", "--lang", "en", file);
  expect(out.split("\n").filter((line) => /cv\.json|picture/.test(line))).toEqual([
    "In /cv.json alone: pets[] × 2, basics.nickname, basics.profiles[].url",
    "The picture is none of this site's files and isn't downloaded: upload it under CV profile.",
  ]);
});

test("an import that changes nothing says so", async () => {
  await run("import", "--lang", "tr", RESUMES.engineerTr);
  const { out } = await run("import", RESUMES.engineerTr, "--lang", "tr");
  expect(out.split("\n")[0]).toBe("Nothing changed: the Turkish CV says all this already.");
});

test("a faulty file ends with 1, its faults, and a closed database", async () => {
  const before = closed;
  const { out, error, exitCode } = await run("import", INVALID_RESUMES.manyFaults);
  expect({ out, exitCode, closed: closed - before }).toEqual({ out: "", exitCode: 1, closed: 1 });
  expect(error).toContain("The file can't be imported:\n  - ");
  expect(error).toContain(
    '  - work[1].startDate: expected a date such as 2024, 2024-05 or 2024-05-31, found "Present"\n',
  );
});

test.each([
  [["import", "/nowhere.json"], "/nowhere.json: there is no such file"],
  [["import", RESUMES.minimal, "--lang", "de"], "Allowed choices are en, tr"],
  [["import"], "missing required argument 'file'"],
])("%j ends with 1 and says why", async (words, message) => {
  const { error, exitCode } = await run(...words);
  expect(exitCode).toBe(1);
  expect(error).toContain(message);
});

test("an export goes to the terminal or to a file, and both are what an import takes", async () => {
  await run("import", RESUMES.engineerEn);
  await run("import", RESUMES.engineerTr, "--lang", "tr");
  const { out } = await run("export", "--lang", "tr");
  const path = join(folder, "tr.json");
  expect((await run("export", "--lang", "tr", "--out", path)).out).toBe(`Wrote ${path}\n`);
  expect(await readFile(path, "utf8")).toBe(out);
  expect((await run("import", path, "--lang", "tr")).out).toContain("Nothing changed");
});

test("a byte order mark in a file is tolerated", async () => {
  const path = join(folder, "bom.json");
  await writeFile(path, '\uFEFF{"basics": {"name": "A"}}');
  expect((await run("import", path)).exitCode).toBe(0);
});
