import { expect, test } from "@jest/globals";
import { createAccessControl } from "./access-control.ts";
import { guessPermissions, toPermissions } from "./refine/permissions.ts";

const all = { view: true, create: true, update: true, delete: true };
const PERMISSIONS = toPermissions({
  access_level: 10,
  is_superuser: false,
  models: [
    { content_type_id: 7, app_label: "cv", model_name: "link", permissions: { ...all, delete: false } },
    { content_type_id: 2, app_label: "accounts", model_name: "user", permissions: { ...all, create: false } },
  ],
});

test.each([
  ["models/7/objects", "edit", true],
  ["models/7/objects", "delete", false],
  ["models/8/objects", "list", false],
  ["users", "edit", true],
  ["users", "create", false],
  ["actions", "list", false],
  ["models", "list", true],
])("%s %s: %s", async (resource, action, can) => {
  expect(await createAccessControl(PERMISSIONS).can({ resource, action })).toEqual({ can });
});

test.each([
  [10, "edit", true],
  [10, "delete", false],
  [999, "delete", true],
])("without a permissions call, level %i may %s: %s", async (access_level, action, can) => {
  const permissions = guessPermissions({ access_level, profile: { is_superuser: access_level === 999 } });
  expect(await createAccessControl(permissions).can({ resource: "users", action })).toEqual({ can });
});
