import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { Command, CommanderError } from "commander";
import { strToU8, zipSync } from "fflate";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { INVALID_RESUMES, RESUMES } from "#test/resumes/samples.ts";
import { registerCvCommands } from "./cli.ts";
import { emptyCv, REGISTRY, readRows } from "./test-cv.ts";

let database: TestDatabase;
let folder: string;
let closed = 0;
let backups = 0;
/** What the person at the terminal answers; undefined: there is no terminal. */
let answers: string[] | undefined;
let questions: string[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "foyer-cv-"));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});
beforeEach(async () => {
  await emptyCv(database.pool);
  backups = 0;
  answers = undefined;
  questions = [];
});

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
    open: async () => ({ pool: database.pool, exportPool: database.pool, close }),
    registry: REGISTRY,
    publicUrl: undefined,
    backUp: async () => {
      backups++;
      return "/backups/before-import.zip";
    },
    ask:
      answers &&
      (async (question) => {
        questions.push(question);
        return answers?.shift() ?? "";
      }),
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
  basics        1 new
  profiles      2 new
  work          3 new
  volunteer     1 new
  education     1 new
  awards        none
  certificates  2 new
  publications  none
  skills        3 new
  languages     2 new
  interests     1 new
  references    none
  projects      none
The picture is none of this site's files and isn't downloaded: upload it under CV profile.
38 texts have no Turkish yet, the page shows the other language: Işıl Örnek: Title; Işıl Örnek: Tagline; Işıl Örnek: Description; Işıl Örnek: District or city; Işıl Örnek: Province or region; Anadolu Yazılım – Team Lead: Role; Anadolu Yazılım – Team Lead: Company; Anadolu Yazılım – Team Lead: Location; and 30 more
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

describe("an import over a CV that is there", () => {
  const save = async (name: string, document: object) => {
    const path = join(folder, name);
    await writeFile(path, JSON.stringify(document));
    return path;
  };
  const before = {
    basics: { name: "Ada" },
    skills: [{ name: "Kubernetes" }, { name: "Git", level: "good" }, { name: "Perl" }],
  };
  const after = {
    basics: { name: "Ada" },
    skills: [{ name: "Kubernetes & Helm" }, { name: "Git", level: "expert" }],
  };
  const readSkills = async () =>
    (await readRows(database.pool, "cv_skill")).map(({ label }) => (label as { en: string }).en);

  test("of the other language adds texts without a question, as the README says", async () => {
    await run("import", RESUMES.engineerEn);
    const { out, exitCode } = await run("import", RESUMES.engineerTr, "--lang", "tr");
    expect([exitCode, backups]).toEqual([0, 0]);
    expect(out).toContain("Imported as Turkish:");
  });

  test("writes nothing without --yes where nobody can be asked, and says what it would change", async () => {
    await run("import", await save("before.json", before));
    const { error, exitCode } = await run("import", await save("after.json", after));
    expect(exitCode).toBe(1);
    expect(error).toBe(
      "Nothing was imported: this file would change what the English CV says (1 changed, 1 renamed, 1 removed).\n" +
        "Look at it with --dry-run, and add --yes to import it.\n",
    );
    expect(await readSkills()).toEqual(["Kubernetes", "Git", "Perl"]);
    expect(backups).toBe(0);
  });

  test("says what it would do by names and with both texts on --dry-run, and writes nothing", async () => {
    await run("import", await save("before.json", before));
    const { out, exitCode } = await run("import", await save("after.json", after), "--dry-run");
    expect(exitCode).toBe(0);
    expect(out).toContain(`  skills        1 changed, 1 renamed, 1 removed
    ~ renamed: Kubernetes → Kubernetes & Helm (recognised by its name or place alone)
      Label (English): "Kubernetes" → "Kubernetes & Helm"
    ~ changed: Git
      Level (English): "good" → "expert"
    - removed: Perl
`);
    expect(await readSkills()).toEqual(["Kubernetes", "Git", "Perl"]);
  });

  test("backs up and goes on with --yes; --gone keep keeps what the file names no more", async () => {
    await run("import", await save("before.json", before));
    const { out } = await run("import", await save("after.json", after), "--yes", "--gone", "keep");
    expect(out).toContain("Backed up to /backups/before-import.zip\n");
    expect(backups).toBe(1);
    expect(await readSkills()).toEqual(["Kubernetes & Helm", "Git", "Perl"]);
  });

  test("asks at a terminal about what it guesses, about each that is gone, and at last whether", async () => {
    await run("import", await save("before.json", before));
    answers = ["n", "what?", "k", "", "y"];
    const { out } = await run("import", await save("after.json", after));
    expect(questions).toEqual([
      "Is “Kubernetes & Helm” the same as “Kubernetes”? (Y/n) ",
      "“Kubernetes” isn't in the file: [r]emove it, [k]eep it? (r) ",
      "“Kubernetes” isn't in the file: [r]emove it, [k]eep it? (r) ",
      "“Perl” isn't in the file: [r]emove it, [k]eep it? (r) ",
      "Import this (1 new, 1 changed, 1 removed, 1 kept, 1 unchanged)? A backup is made first. (y/N) ",
    ]);
    expect(out).toContain("Imported as English:");
    expect(await readSkills()).toEqual(["Kubernetes", "Kubernetes & Helm", "Git"]);
  });

  test("by a LinkedIn export keeps what that doesn't name, unless --gone or the person says otherwise", async () => {
    await run("import", await save("before.json", before));
    const files = { "Profile.csv": "First Name,Last Name\nAda,\n", "Skills.csv": "Name\nKubernetes\nGit\n" };
    const path = join(folder, "export.zip");
    const entries = Object.entries(files).map(([name, text]) => [name, strToU8(text)]);
    await writeFile(path, zipSync(Object.fromEntries(entries)));
    const dry = await run("import", path, "--dry-run");
    expect(dry.out).toContain("    = kept: Perl\n");
    expect(dry.out).toContain("What a LinkedIn export has no place for stays as it is.\n");
    expect((await run("import", path)).exitCode).toBe(0);
    expect(await readSkills()).toEqual(["Kubernetes", "Git", "Perl"]);
    answers = ["", "y"];
    await run("import", path);
    expect(questions).toEqual([
      "“Perl” isn't in the file: [r]emove it, [k]eep it? (k) ",
      "Import this (1 kept, 3 unchanged)? (y/N) ",
    ]);
    answers = undefined;
    await run("import", path, "--yes", "--gone", "remove");
    expect(await readSkills()).toEqual(["Kubernetes", "Git"]);
    expect((await readRows(database.pool, "cv_skill"))[1]).toMatchObject({ level: { en: "good" } });
  });

  test("writes nothing when the person says no", async () => {
    await run("import", await save("before.json", before));
    answers = ["", "", ""];
    const { error, exitCode } = await run("import", await save("after.json", after));
    expect([error, exitCode, backups]).toEqual(["Nothing was imported.\n", 1, 0]);
    expect(await readSkills()).toEqual(["Kubernetes", "Git", "Perl"]);
  });

  test("is taken back by --undo, up to what people changed since", async () => {
    await run("import", await save("before.json", before));
    await run("import", await save("after.json", after), "--yes");
    await database.pool.query(
      `UPDATE cv_skill SET level = '{"en": "mine"}', updated_at = clock_timestamp() WHERE label ->> 'en' = 'Git'`,
    );
    const refused = await run("import", "--undo");
    expect(refused.exitCode).toBe(1);
    expect(refused.error).toBe(
      "Nothing was undone. These were changed since the import:\n  Tools: Git (changed since)\nWith --yes the rest is undone, and they stay as they are.\n",
    );
    const { out } = await run("import", "--undo", "--yes");
    expect(out).toBe(
      "Undone: the import of after.json as English.\nLeft as they are:\n  Tools: Git (changed since)\n",
    );
    expect(await readSkills()).toEqual(["Kubernetes", "Git", "Perl"]);
    expect((await run("import", "--undo", "--yes")).out).toContain("before.json");
    expect((await run("import", "--undo")).error).toBe("There is no import that can be undone.\n");
  });
});
