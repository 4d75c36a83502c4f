import { expect, test } from "@jest/globals";
import { createTestDatabase } from "#test/database.ts";
import { readMigrations } from "./migrate.ts";

const NAME = "0016_skill";

test("skills of an older version keep their rows, their model its number, and sample content stays that", async () => {
  const database = await createTestDatabase({ isEmpty: true });
  const { pool } = database;
  const migrations = readMigrations();
  const at = migrations.findIndex(({ name }) => name === NAME);
  for (const { statements } of migrations.slice(0, at))
    for (const statement of statements) await pool.query(statement);
  await pool.query(`
    INSERT INTO content_type (app_label, model_name) VALUES ('cv', 'experience'), ('cv', 'confidence');
    INSERT INTO cv_confidence (label, position) VALUES ('{"en": "SQL"}', 1), ('{"en": "Git"}', 2);
    INSERT INTO sample_row (model, object_id, row_updated_at) SELECT 'cv.confidence', id, updated_at FROM cv_confidence`);
  for (const { statements } of migrations.slice(at))
    for (const statement of statements) await pool.query(statement);

  const read = async (sql: string) => (await pool.query(sql)).rows;
  expect(await read("SELECT id, label FROM cv_skill ORDER BY id")).toEqual([
    { id: 1, label: { en: "SQL" } },
    { id: 2, label: { en: "Git" } },
  ]);
  expect(await read("SELECT id, model_name FROM content_type WHERE id = 2")).toEqual([
    { id: 2, model_name: "skill" },
  ]);
  expect(
    await read(
      "SELECT s.model FROM sample_row s JOIN cv_skill k ON k.id = s.object_id AND k.updated_at = s.row_updated_at",
    ),
  ).toEqual([{ model: "cv.skill" }, { model: "cv.skill" }]);
  expect(await read(`INSERT INTO cv_skill (label) VALUES ('{"en": "New"}') RETURNING id`)).toEqual([
    { id: 3 },
  ]);
  await database.close();
});
