import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import { cv as cvSchema } from "#contract/site/cv.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { emptyCv, importInto, openCv, readSample } from "./test-cv.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => emptyCv(database.pool));

const getCv = (lang: "en" | "tr") => openCv(database.pool).getCv(lang);

test("an empty database is an empty CV", async () => {
  expect(await getCv("tr")).toEqual({
    lang: "tr",
    has_sample: false,
    name: "",
    title: "",
    tagline: "",
    description: "",
    photo: null,
    photo_sizes: [],
    email: null,
    website: null,
    address: {
      province: "",
      district: "",
      street: null,
      postal_code: null,
      country: null,
      country_code: null,
    },
    links: [],
    confidences: [],
    experience: [],
    education: [],
    certificates: [],
    sections: [],
  });
});

test("the CV of a language is complete and in the shape of the contract", async () => {
  await importInto(database.pool, await readSample(RESUMES.engineerEn), "en");
  await importInto(database.pool, await readSample(RESUMES.engineerTr), "tr");
  const cv = await getCv("tr");
  expect(cvSchema.parse(cv)).toEqual(cv);
  expect(cv).toMatchObject({
    name: "Işıl Örnek",
    title: "Yazılım Mühendisi",
    tagline: "Küçük araçlar, özenle",
    address: { province: "Ankara", district: "Çankaya" },
    education: [{ degree: "Lisans, Bilgisayar Mühendisliği", institution: "Orta Doğu Teknik Üniversitesi" }],
  });
  expect(cv.experience[0]).toMatchObject({
    role: "Takım Lideri",
    start_date: "2021-03",
    end_date: null,
    date: "Mar 2021 – halen",
  });
  expect(cv.education[0]?.date).toMatch(/^(\w+ )?\d{4} – /);
});

test("says that some of it came with the product, until that is edited", async () => {
  await database.pool.query(`INSERT INTO cv_skill (label, position) VALUES ('{"en": "SQL"}', 0)`);
  await database.pool.query(
    "INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.skill', id, updated_at FROM cv_skill",
  );
  expect(await getCv("en")).toMatchObject({ has_sample: true });
  await database.pool.query("UPDATE cv_skill SET updated_at = clock_timestamp()");
  expect(await getCv("en")).toMatchObject({ has_sample: false });
});

test("each text falls back to the other language by itself", async () => {
  await importInto(database.pool, await readSample(RESUMES.engineerEn), "en");
  await database.pool.query(
    `UPDATE cv_experience SET role = jsonb_set(role, '{tr}', '"Yönetici"') WHERE position = 1`,
  );
  expect((await getCv("tr")).experience[0]).toMatchObject({
    role: "Yönetici",
    company: "Anadolu Yazılım",
    highlights: ["Moved 40 services to one pipeline", "Halved the night calls"],
  });
});

test("items without a label or an address have no place on the page", async () => {
  await importInto(database.pool, await readSample(RESUMES.oddShapes), "en");
  const cv = await getCv("en");
  expect(cvSchema.parse(cv)).toEqual(cv);
  expect(cv.links.map(({ network }) => network)).toEqual(["GitHub", "GitHub"]);
  expect(cv.confidences.map(({ label }) => label)).toEqual(["React", "React"]);
  expect(cv.certificates).toHaveLength(3);
  expect(cv.experience).toHaveLength(7);
});

test("files are addresses on this site", async () => {
  const key = "0123456789abcdef0123456789abcdef.png";
  const sql =
    "INSERT INTO stored_file (key, name, media_type, byte_size) VALUES ($1, 'a.png', 'image/png', 1)";
  await database.pool.query(sql, [key]);
  await importInto(database.pool, {
    basics: { image: `/files/${key}` },
    skills: [{ name: "A", icon: `/files/${key}` }],
    certificates: [{ name: "C", file: `/files/${key}` }],
  });
  const cv = await getCv("en");
  expect([cv.photo, cv.confidences[0]?.icon, cv.certificates[0]?.file]).toEqual(
    Array(3).fill(`/files/${key}`),
  );
});

test("all that a JSON Resume file can say is on the page, and nothing of it is called kept", async () => {
  const report = await importInto(database.pool, await readSample(RESUMES.everything), "en");
  expect(report.kept_keys).toEqual(["basics.image"]);
  const cv = await getCv("en");
  expect(cvSchema.parse(cv)).toEqual(cv);
  expect(cv.sections.map(({ name }) => name)).toEqual([
    "skill",
    "experience",
    "education",
    "certificate",
    "project",
    "volunteer",
    "award",
    "publication",
    "language",
    "interest",
    "reference",
  ]);
  const shown = JSON.stringify(cv);
  const { basics, ...lists } = JSON.parse(await readSample(RESUMES.everything));
  const { image: _image, phone: _phone, location, ...person } = basics;
  const { countryCode: _code, ...place } = location;
  const missing = listTexts([lists, person, place]).filter(
    (text) => !shown.includes(JSON.stringify(text).slice(1, -1)),
  );
  expect(missing).toEqual([]);
  expect(cv.address).toMatchObject({ country: "Türkiye", country_code: "TR" });
});

/** Every text of a document. */
function listTexts(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(listTexts) : [];
}
