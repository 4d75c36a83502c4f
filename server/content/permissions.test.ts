import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { permissionsAnswer } from "#contract/accounts/accounts.ts";
import { modelsAnswer } from "#contract/content/models.ts";
import { createTestApp, type TestApp } from "#test/app.ts";

let site: TestApp;
beforeAll(async () => {
  site = await createTestApp();
});
afterAll(() => site.close());

const get = (url: string, headers = {}) => site.app.inject({ url, headers });
const PATH = "/api/admin/permissions/";

test.each([
  [null, 401],
  [0, 403],
  [1, 403],
  [9, 403],
  [10, 200],
  [999, 200],
])("level %s is answered %i", async (level, status) => {
  const headers = level === null ? {} : await site.signInAs(level);
  const answer = await get(PATH, headers);
  expect(answer.statusCode).toBe(status);
  if (status !== 200) return;
  expect(answer.headers["cache-control"]).toBe("no-store");
  const permissions = permissionsAnswer.parse(answer.json());
  expect(permissions).toMatchObject({ access_level: level, is_superuser: level === 999 });
  const { models } = modelsAnswer.parse((await get("/api/admin/models/", headers)).json());
  expect(permissions.models).toEqual(
    models.map(({ content_type_id, app_label, model_name, permissions: allowed }) => ({
      content_type_id,
      app_label,
      model_name,
      permissions: allowed,
    })),
  );
  const certificate = permissions.models.find(({ model_name }) => model_name === "certificate");
  expect(certificate?.permissions.delete).toBe(level === 999);
  expect(permissions.models.find(({ model_name }) => model_name === "stored_file")?.permissions.update).toBe(
    false,
  );
});
