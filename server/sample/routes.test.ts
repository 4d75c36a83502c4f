import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { createLocalStorage } from "#server/files/store.ts";
import { createTestApp, type TestApp, type TestPerson } from "#test/app.ts";
import { applyFirstStart } from "./first-start.ts";

let site: TestApp;
let owner: TestPerson;
beforeEach(async () => {
  site = await createTestApp();
  await applyFirstStart(site.database.pool, createLocalStorage(`${site.dataDir}/files`));
  owner = await site.signInAs(999);
});
afterEach(() => site.close());

async function call(method: "GET" | "POST", url: string, { as = owner, lang = "en" } = {}) {
  const headers = { authorization: as.authorization, "accept-language": lang };
  const answer = await site.app.inject({ method, url, headers });
  return { status: answer.statusCode, body: answer.json(), headers: answer.headers };
}
const read = (lang = "en") => call("GET", "/api/admin/sample/", { lang });
const remove = (lang = "en") => call("POST", "/api/admin/sample/remove/", { lang });
const toLines = (models: { verbose_name: string; untouched_count: number; edited_count: number }[]) =>
  models.map((model) => `${model.verbose_name} ${model.untouched_count} ${model.edited_count}`);
/** As every edit does. */
const edit = () =>
  site.database.pool.query(
    `UPDATE cv_link SET username = 'mine', updated_at = clock_timestamp() WHERE id = (SELECT min(id) FROM cv_link)`,
  );

test("shows what is left by model, in the reader's language, and what was edited", async () => {
  await edit();
  const { status, body, headers } = await read("tr");
  expect([status, headers["cache-control"]]).toEqual([200, "no-store"]);
  expect(toLines(body.models)).toEqual([
    "CV profili 1 0",
    "Bağlantılar 2 1",
    "Deneyimler 4 0",
    "Eğitimler 2 0",
    "Sertifikalar 15 0",
    "Araçlar 7 0",
    "Projeler 1 0",
    "Gönüllü çalışmalar 1 0",
    "Ödüller 1 0",
    "Yayınlar 1 0",
    "Diller 2 0",
    "İlgi alanları 1 0",
    "Referanslar 1 0",
  ]);
});

test("a removal says what went and what stays, in the person's name, and the page is empty at once", async () => {
  await edit();
  for (const lang of ["en", "tr"])
    expect((await site.app.inject(`/${lang}/cv`)).body).toContain("Ada Taslakoğlu");
  const { status, body } = await remove();
  expect(status).toBe(200);
  const [, links] = body.models;
  expect(links).toMatchObject({ verbose_name: "Links", removed_count: 2, kept: [{ id: 1 }] });
  expect(body.models.at(-1)).toMatchObject({ verbose_name: "Files", removed_count: 23, kept: [] });
  for (const lang of ["en", "tr"])
    expect((await site.app.inject(`/${lang}/cv`)).body).not.toContain("Ada Taslakoğlu");
  const { rows } = await site.database.pool.query(
    "SELECT DISTINCT user_id, detail, request_id IS NOT NULL AS of_request FROM audit_entry WHERE action_type = 'DELETE'",
  );
  expect(rows).toEqual([{ user_id: owner.userId, detail: "sample", of_request: true }]);
});

test("afterwards nothing is left, also of what was edited", async () => {
  await edit();
  await remove();
  expect((await read()).body).toEqual({ models: [] });
  expect((await remove()).body).toEqual({ models: [] });
});

test("what was only put in another order is sample content still, what was hidden is the owner's", async () => {
  const { rows } = await site.database.pool.query("SELECT id FROM content_type WHERE model_name = 'skill'");
  const objects = `/api/admin/models/${rows[0].id}/objects`;
  const headers = { authorization: owner.authorization };
  await site.app.inject({ method: "POST", url: `${objects}/7/move/`, headers, payload: { before: 2 } });
  await site.app.inject({ method: "PATCH", url: `${objects}/3/`, headers, payload: { is_hidden: true } });
  const { body } = await read();
  expect(toLines(body.models)).toContain("Tools 6 1");
});

test("two who remove at once remove once", async () => {
  const answers = await Promise.all([remove(), remove()]);
  const removed = answers.map(({ body }) => body.models.length).sort((a, b) => a - b);
  expect(removed).toEqual([0, 14]);
});

describe("who may not delete all of it may do nothing here", () => {
  test.each([
    [1, 403],
    [10, 403],
    [998, 403],
    [999, 200],
  ])("level %d: %d", async (level, status) => {
    const as = level === 999 ? owner : await site.signInAs(level);
    expect((await call("GET", "/api/admin/sample/", { as })).status).toBe(status);
    const answer = await call("POST", "/api/admin/sample/remove/", { as });
    expect(answer.status).toBe(status);
    if (status === 403) {
      expect(answer.body.code).toBe("permission_denied");
      expect((await read()).body.models).toHaveLength(13);
    }
  });

  test("nobody who isn't signed in", async () => {
    expect((await site.app.inject("/api/admin/sample/")).statusCode).toBe(401);
    expect((await site.app.inject({ method: "POST", url: "/api/admin/sample/remove/" })).statusCode).toBe(
      401,
    );
  });
});
