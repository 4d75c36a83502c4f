import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { createTestApp, type TestApp } from "#test/app.ts";
import { importInto, readRows } from "../test-cv.ts";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());

test("certificates that are made while a file is imported stand beside the file's, each at its own number", async () => {
  const { pool } = site.database;
  const { authorization } = await site.signInAs(999);
  const { rows } = await pool.query<{ id: number }>(
    "SELECT id FROM content_type WHERE app_label = 'cv' AND model_name = 'certificate'",
  );
  const create = (index: number) =>
    site.app.inject({
      method: "POST",
      url: `/api/admin/models/${rows[0]?.id}/objects/`,
      headers: { authorization },
      payload: { label: { en: `Made ${index}`, tr: null } },
    });
  const certificates = Array.from({ length: 20 }, (_, index) => ({ name: `Imported ${index}` }));
  const imported = importInto(pool, { basics: { name: "Ada" }, certificates });
  const made = await Promise.all(Array.from({ length: 10 }, (_, index) => create(index)));
  await imported;
  expect(new Set(made.map(({ statusCode }) => statusCode))).toEqual(new Set([201]));
  const places = (await readRows(pool, "cv_certificate")).map(({ position }) => position);
  expect(new Set(places).size).toBe(places.length);
  // An import puts away what isn't in its file; what was made after it stays.
  expect(places.length).toBeGreaterThanOrEqual(certificates.length);
});
