import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { strToU8, zipSync } from "fflate";
import type { Language } from "#contract/languages.ts";
import type { ImportChoices, ImportPlan } from "#contract/site/cv-import.ts";
import { SYSTEM_ACTOR } from "#server/base/actor.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { emptyCv, importInto, openCv, openImports, readRows, readSample } from "../test-cv.ts";
import { readLinkedIn } from "./linkedin.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyCv(database.pool));

/** A CV with what LinkedIn's export has no place for in every item. */
const CV = {
  basics: {
    name: "Ada Lovelace",
    label: "Engineer",
    tagline: "Engines",
    phone: "+90 1",
    email: "ada@example.org",
    url: "https://ada.example",
    location: { city: "Konak", region: "İzmir", countryCode: "TR" },
    profiles: [{ network: "GitHub", username: "ada", url: "https://github.com/ada" }],
  },
  work: [
    {
      name: "Engines Ltd",
      position: "Engineer",
      url: "https://engines.example",
      startDate: "2020-03-16",
      highlights: ["Wrote the first program"],
      summary: "Programs",
      team: 3,
    },
    { name: "Looms", position: "Weaver", startDate: "2015", endDate: "2019", highlights: ["Cards"] },
  ],
  education: [
    { institution: "Ege", area: "Mathematics", studyType: "BSc", startDate: "2008-09", courses: ["Logic"] },
  ],
  skills: [
    { name: "SQL", level: "Expert", keywords: ["PostgreSQL"] },
    { name: "Weaving", level: "Good" },
    { name: "TypeScript", keywords: ["Node"] },
  ],
  references: [{ name: "Charles", reference: "She programs." }],
  interests: [{ name: "Horses" }],
};

/** The same person on LinkedIn: one job, one skill and the interests fewer, one skill more. */
const FILES = {
  "Profile.csv":
    'First Name,Last Name,Headline,Summary,Geo Location,Websites\nAda,Lovelace,Engineer,,"İzmir, Türkiye",\n',
  "Positions.csv":
    "Company Name,Title,Description,Location,Started On,Finished On\nEngines Ltd,Engineer,,İzmir,Mar 2020,\n",
  "Education.csv": "School Name,Start Date,End Date,Degree Name\nEge,2008,2012,BSc\n",
  "Skills.csv": "Name\nTypeScript\nCOBOL\nSQL\n",
};

const zip = (files: Record<string, string>) =>
  readLinkedIn(
    zipSync(Object.fromEntries(Object.entries(files).map(([name, text]) => [name, strToU8(text)]))),
  );
const NONE: ImportChoices = { gone: {}, matches: {} };
const toFile = (files: Record<string, string>, lang: Language, answers: ImportChoices) => ({
  document: zip(files),
  format: "linkedin" as const,
  lang,
  answers,
  reader: "en" as const,
});
const plan = (files: Record<string, string> = FILES, lang: Language = "en", answers = NONE) =>
  openImports(database.pool).plan(toFile(files, lang, answers));
const apply = async (files: Record<string, string> = FILES, lang: Language = "en", answers = NONE) => {
  const about = { ...toFile(files, lang, answers), actor: SYSTEM_ACTOR, fileName: "export.zip" };
  return (await openImports(database.pool).apply(about)).plan;
};
const itemsOf = ({ sections }: ImportPlan) => sections.flatMap(({ items }) => items);
const kindsOf = (given: ImportPlan) =>
  itemsOf(given)
    .filter(({ kind }) => kind !== "unchanged")
    .map(({ title, kind }) => `${kind} ${title}`);
const readFile = async (lang: Language) => JSON.parse(await openCv(database.pool).getResume(lang));

test("what an export of LinkedIn's has no place for stays, and what it says is written", async () => {
  await importInto(database.pool, CV);
  await apply();
  const { basics, work, education, skills, references, interests } = await readFile("en");
  expect(basics).toEqual(CV.basics);
  // Where its dates are less exact, ours stay; what it leaves blank stays as well.
  expect(work).toEqual([{ ...CV.work[0], location: "İzmir" }, CV.work[1]]);
  expect(education).toEqual([{ ...CV.education[0], endDate: "2012" }]);
  expect(skills).toEqual([CV.skills[0], CV.skills[1], CV.skills[2], { name: "COBOL" }]);
  expect([references, interests]).toEqual([CV.references, CV.interests]);
});

test("the plan says exactly that, and keeps what it asks about", async () => {
  await importInto(database.pool, CV);
  const before = await plan();
  expect(before).toMatchObject({ format: "linkedin", is_gentle: true });
  expect(kindsOf(before)).toEqual([
    "changed Engines Ltd – Engineer",
    "kept Looms – Weaver",
    "changed Ege – BSc – Mathematics",
    "new COBOL",
    "kept Weaving",
  ]);
  const asked = itemsOf(before).filter(({ gone_choices }) => gone_choices.length > 0);
  expect(asked.map(({ title }) => title)).toEqual(["Looms – Weaver", "Weaving"]);
  const fields = itemsOf(before).flatMap(({ fields }) => fields.map(({ name }) => name));
  expect(fields).toEqual(["location", "end_date", "label"]);
  const { fingerprint: _one, ...done } = await apply();
  const { fingerprint: _two, ...planned } = before;
  expect(done).toEqual(planned);
  expect((await plan()).is_unchanged).toBe(true);
});

test("what somebody wants removed is removed", async () => {
  await importInto(database.pool, CV);
  const weaving = itemsOf(await plan()).find(({ title }) => title === "Weaving");
  const answers = { gone: { [weaving?.key ?? ""]: "remove" as const }, matches: {} };
  expect(kindsOf(await apply(FILES, "en", answers))).toContain("removed Weaving");
  expect((await readFile("en")).skills.map(({ name }: { name: string }) => name)).toEqual([
    "SQL",
    "TypeScript",
    "COBOL",
  ]);
});

test("an export in the other language leaves the texts of the first alone", async () => {
  await importInto(database.pool, CV);
  const before = await readFile("en");
  await apply(
    {
      "Profile.csv": "First Name,Last Name,Headline\nAda,Lovelace,Mühendis\n",
      "Positions.csv":
        "Company Name,Title,Description,Started On,Finished On\nEngines Ltd,Mühendis,Programlar,Mar 2020,\n",
    },
    "tr",
  );
  expect(await readFile("en")).toEqual(before);
  const { basics, work } = await readFile("tr");
  expect(basics).toEqual({ ...CV.basics, label: "Mühendis" });
  expect(work[0]).toEqual({ ...CV.work[0], position: "Mühendis", summary: "Programlar" });
});

describe("over a finished CV in two languages", () => {
  test("an export that says little of it changes little, and twice nothing more", async () => {
    await importInto(database.pool, await readSample(RESUMES.engineerEn), "en");
    await importInto(database.pool, await readSample(RESUMES.engineerTr), "tr");
    const before = [await readFile("en"), await readFile("tr")];
    const rows = await readRows(database.pool, "cv_link");
    const small = { "Profile.csv": "First Name,Last Name\nIşıl,Örnek\n", "Skills.csv": "Name\nPostgreSQL\n" };
    expect((await apply(small)).is_unchanged).toBe(true);
    expect([await readFile("en"), await readFile("tr")]).toEqual(before);
    expect(await readRows(database.pool, "cv_link")).toEqual(rows);
  });
});

test("nothing is recognised by its place alone, for the export's order means nothing; what looks new can be said to be a row", async () => {
  await importInto(database.pool, { skills: [{ name: "SQL" }, { name: "Weaving" }] }, "en");
  await importInto(database.pool, { skills: [{ name: "SQL" }, { name: "Dokuma" }] }, "tr");
  const files = { "Profile.csv": "First Name\nAda\n", "Skills.csv": "Name\nCOBOL\n" };
  expect(kindsOf(await plan(files))).toEqual(["changed Ada", "new COBOL", "kept SQL", "kept Weaving"]);
  const cobol = itemsOf(await plan(files)).find(({ title }) => title === "COBOL");
  expect(cobol?.candidates.map(({ title }) => title)).toEqual(["SQL", "Weaving"]);
  const matches = { [cobol?.key ?? ""]: cobol?.candidates[1]?.id ?? ("new" as const) };
  await apply(files, "en", { gone: {}, matches });
  expect((await readFile("tr")).skills).toEqual([{ name: "SQL" }, { name: "Dokuma" }]);
  expect((await readFile("en")).skills).toEqual([{ name: "SQL" }, { name: "COBOL" }]);
});

describe("one date is no proof:", () => {
  const honors = (...rows: string[]) => ({
    "Profile.csv": "First Name\nAda\n",
    "Honors.csv": `Title,Description,Issued On\n${rows.join("\n")}\n`,
  });
  const THESIS = { title: "Best Thesis", date: "2018-06", summary: "Of the faculty" };
  const basics = { name: "Ada" };

  test.each([
    ["one language", false],
    ["both languages", true],
  ])("two awards of one month are two, over a CV in %s", async (_name, isInBoth) => {
    await importInto(database.pool, { basics, awards: [THESIS] }, "en");
    const tr = { title: "En İyi Tez", date: "2018-06", summary: "Fakültenin" };
    if (isInBoth) await importInto(database.pool, { basics, awards: [tr] }, "tr");
    const files = honors("Dean's List,Of the year,Jun 2018");
    const before = await plan(files);
    expect(kindsOf(before)).toEqual(["new Dean's List", "kept Best Thesis"]);
    const list = itemsOf(before).find(({ kind }) => kind === "new");
    expect(list?.candidates.map(({ title }) => title)).toEqual(["Best Thesis"]);
    await apply(files);
    expect((await readFile("en")).awards).toEqual([
      { title: "Dean's List", date: "2018-06", summary: "Of the year" },
      THESIS,
    ]);
  });

  test("a job at the same company is another one, also where both languages write its name alike", async () => {
    const engines = { name: "Engines Ltd", position: "Weaver", startDate: "2012-01" };
    await importInto(database.pool, { basics, work: [engines] }, "en");
    await importInto(database.pool, { basics, work: [{ ...engines, position: "Dokumacı" }] }, "tr");
    const files = {
      "Profile.csv": "First Name\nAda\n",
      "Positions.csv": "Company Name,Title,Started On\nEngines Ltd,Director of Looms,Mar 2020\n",
    };
    expect(kindsOf(await plan(files))).toEqual([
      "new Engines Ltd – Director of Looms",
      "kept Engines Ltd – Weaver",
    ]);
  });

  test("where the CV has the other language alone, somebody is asked and may say that it is new", async () => {
    await importInto(database.pool, { basics, awards: [THESIS] }, "en");
    const files = honors("Onur Listesi,Yılın,Jun 2018");
    const asked = itemsOf(await plan(files, "tr")).find(({ is_guess }) => is_guess);
    expect(asked?.candidates.map(({ title }) => title)).toEqual(["Best Thesis"]);
    await apply(files, "tr", { gone: {}, matches: { [asked?.key ?? ""]: "new" } });
    expect((await readFile("en")).awards).toContainEqual(THESIS);
    expect(await readRows(database.pool, "cv_award")).toHaveLength(2);
  });
});

test("a place of one line isn't put beside the parts of a place that is known, and else is", async () => {
  await importInto(database.pool, { basics: { name: "Ada Lovelace", location: { city: "İzmir" } } });
  await apply();
  expect((await readFile("en")).basics.location).toEqual({ city: "İzmir, Türkiye" });
});

test("a place of which the country alone is known gets its line", async () => {
  await importInto(database.pool, { basics: { name: "Ada Lovelace", location: { countryCode: "TR" } } });
  expect(kindsOf(await plan())).toContain("changed Ada Lovelace");
  await apply();
  expect((await readFile("en")).basics.location).toEqual({ city: "İzmir, Türkiye", countryCode: "TR" });
});

test("a place that the other language has in parts gets no line beside them", async () => {
  await importInto(database.pool, CV);
  await apply(FILES, "tr");
  expect((await readFile("tr")).basics.location).toEqual(CV.basics.location);
});
