import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { makeScratchCopy, readRecipe, type ScratchCopy } from "./scratch-copy.ts";

const RECIPE = readRecipe("A new content model");

/** What a process of the copy sees: the model as the console learns it, and what comes of a row. */
const USE_IT = `
  import { createTestApp } from "#test/app.ts";
  import { createTestDatabase } from "#test/database.ts";
  import { applyMigrations } from "#server/db/migrate.ts";
  const database = await createTestDatabase();
  await applyMigrations(database.pool);
  const site = await createTestApp({ database });
  const { authorization } = await site.signInAs(10);
  const call = async (method, url, payload) => {
    const answer = await site.app.inject({ method, url, headers: { authorization }, ...(payload && { payload }) });
    return { status: answer.statusCode, body: answer.body };
  };
  const json = async (...request) => JSON.parse((await call(...request)).body);
  const { models } = await json("GET", "/api/admin/models/");
  const model = models.find(({ model_name }) => model_name === "book");
  const objects = \`/api/admin/models/\${model.content_type_id}/objects/\`;
  const refused = await call("POST", objects, { read_on: "2026-11-25" });
  const made = await json("POST", objects, { title: "Çalıkuşu", read_on: "2026-11-25" });
  const list = (query) => json("GET", objects + "?" + new URLSearchParams(query)).then(({ objects }) => objects.length);
  const seen = {
    fields: model.fields.map(({ name, control }) => [name, control]),
    refused: refused.status,
    title: made.title,
    found: await list({ search: "calikusu" }),
    filtered: await list({ "filters[0][field]": "read_on", "filters[0][operator]": "gte", "filters[0][value]": "2026-12-01" }),
    csv: (await call("GET", objects + "export/?format=csv")).body,
    history: (await json("GET", objects + made.id + "/history/")).entries?.length,
    schema: Object.keys((await json("GET", "/api/openapi.json")).components.schemas).includes("library.book"),
  };
  console.log(JSON.stringify(seen));
  await site.close();
  process.exit();`;

let copy: ScratchCopy;
beforeAll(() => {
  copy = makeScratchCopy(["server", "contract", "locales", "test"]);
});
afterAll(() => copy.remove());

test("the recipe touches one file by hand and four by a command, and everything else follows", async () => {
  for (const [file, text] of RECIPE) copy.write(file, text);
  await copy.run(["server/db/generate.ts", "--name", "book"]);
  const touched = copy.listTouched().map((file) => file.replace(/\d{4}_/, "N_"));
  expect(new Set(touched)).toEqual(
    new Set([
      "server/db/migrations/N_book.sql",
      "server/db/migrations/catalog.json",
      "server/db/migrations/meta/N_snapshot.json",
      "server/db/migrations/meta/_journal.json",
      "server/models/declared/book.ts",
    ]),
  );
  const seen = JSON.parse(await copy.runModule(USE_IT));
  expect(seen).toEqual({
    fields: [
      ["title", "text"],
      ["read_on", "date"],
      ["created_at", "datetime"],
      ["updated_at", "datetime"],
    ],
    refused: 400,
    title: "Çalıkuşu",
    found: 1,
    filtered: 0,
    csv: expect.stringContaining("Çalıkuşu,2026-11-25"),
    history: 1,
    schema: true,
  });
});
