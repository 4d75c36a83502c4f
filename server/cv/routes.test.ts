import accepts from "@fastify/accepts";
import cookie from "@fastify/cookie";
import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import fastify, { type FastifyInstance } from "fastify";
import { cv as cvSchema } from "#contract/site/cv.ts";
import { withZod } from "#server/http/zod.ts";
import { createTestApp } from "#test/app.ts";
import { createTestDatabase, type TestDatabase } from "#test/database.ts";
import { RESUMES } from "#test/resumes/samples.ts";
import { findSchemaFaults } from "./resume/faults.ts";
import { registerCvRoutes } from "./routes.ts";
import { importInto, openCv, readSample } from "./test-cv.ts";

let database: TestDatabase;
let app: FastifyInstance;
beforeAll(async () => {
  database = await createTestDatabase();
  await importInto(database.pool, await readSample(RESUMES.engineerEn), "en");
  await importInto(database.pool, await readSample(RESUMES.engineerTr), "tr");
  app = fastify();
  await app.register(accepts);
  await app.register(cookie);
  registerCvRoutes(withZod(app), openCv(database.pool));
});
afterAll(async () => {
  await app.close();
  await database.close();
});

const EN = "Software Engineer";
const TR = "Yazılım Mühendisi";

describe("GET /api/cv/", () => {
  test.each([
    ["?lang=tr", {}, TR],
    ["?lang=en", { "accept-language": "tr" }, EN],
    ["?lang=de", { "accept-language": "tr" }, EN],
    ["?lang=tr&lang=tr", {}, EN],
    ["?lang=", { "accept-language": "tr" }, EN],
    ["", { "accept-language": "tr-TR,tr;q=0.9,en;q=0.5" }, TR],
    ["", { "accept-language": "en", cookie: "preferred-language=tr" }, EN],
    ["", { cookie: "preferred-language=tr" }, TR],
    ["", {}, EN],
  ])("%s with %j", async (query, headers, title) => {
    const answer = await app.inject({ url: `/api/cv/${query}`, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toMatchObject({ title });
    expect(cvSchema.parse(answer.json())).toEqual(answer.json());
  });
});

describe("GET /cv.json", () => {
  test.each([
    ["?lang=tr", {}, TR],
    ["?lang=en", {}, EN],
    ["?lang=de", {}, EN],
    ["", { "accept-language": "tr", cookie: "preferred-language=tr" }, EN],
  ])("%s with %j", async (query, headers, label) => {
    const answer = await app.inject({ url: `/cv.json${query}`, headers });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.json()).toMatchObject({ basics: { label } });
    expect(findSchemaFaults(answer.json())).toEqual([]);
    expect(answer.body).toBe(`${JSON.stringify(answer.json(), null, 2)}\n`);
  });
});

describe("GET /cv.vcf", () => {
  test.each([
    ["?lang=tr", TR],
    ["?lang=de", EN],
    ["", EN],
  ])("%s is the card in that language, and a download with the person's name", async (query, title) => {
    const answer = await app.inject({ url: `/cv.vcf${query}`, headers: { "accept-language": "tr" } });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers["content-type"]).toBe("text/vcard; charset=utf-8");
    expect(answer.headers["content-disposition"]).toMatch(/^attachment; filename="[a-z-]+\.vcf"$/);
    expect(answer.body).toContain(`\r\nTITLE:${title}\r\n`);
  });

  test.each(["javascript", "ftp", ""])(
    "is there with its picture behind a proxy that passes %j on as the scheme",
    async (scheme) => {
      const site = await createTestApp({ publicUrl: null, trustProxy: true });
      try {
        const { pool } = site.database;
        await importInto(pool, await readSample(RESUMES.engineerEn), "en");
        await pool.query(
          `WITH file AS (INSERT INTO stored_file (key, name, media_type, byte_size)
             VALUES (repeat('a', 32) || '.png', 'me.png', 'image/png', 1) RETURNING key)
           UPDATE cv_profile SET photo = (SELECT key FROM file)`,
        );
        const answer = await site.app.inject({
          url: "/cv.vcf",
          headers: { host: "foyer.test", "x-forwarded-proto": scheme },
        });
        expect(answer.statusCode).toBe(200);
        expect(answer.body).toContain("PHOTO;VALUE=uri:http://foyer.test/files/");
      } finally {
        await site.close();
      }
    },
  );

  test("isn't there before somebody has a name", async () => {
    const empty = await createTestApp();
    try {
      expect((await empty.app.inject("/cv.vcf")).statusCode).toBe(404);
    } finally {
      await empty.close();
    }
  });
});
