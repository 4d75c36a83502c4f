/** @jest-environment node */
import { describe, expect, test } from "@jest/globals";
import type { AuthState } from "../http/auth-state.ts";
import { createAccessControl, guessPermissions, rememberPermissions, toPermissions } from "./permissions.ts";

describe("permissions", () => {
  const NONE = { view: false, create: false, update: false, delete: false };
  const toModel = (model_name: string, permissions: typeof NONE) => ({
    content_type_id: 1,
    app_label: "cv",
    model_name,
    permissions,
  });

  function remember(permissions: Parameters<typeof rememberPermissions>[1]) {
    let state: Partial<AuthState> = {};
    const updateAuthState = (change: Partial<AuthState>) => {
      state = change;
    };
    rememberPermissions({ updateAuthState }, permissions);
    return state;
  }

  test("what the permissions call allows is remembered, model by model, and no more", () => {
    const models = [toModel("certificate", { ...NONE, view: true, update: true }), toModel("secret", NONE)];
    const permissions = toPermissions({ access_level: 10, is_superuser: false, models });
    expect(remember(permissions)).toEqual({
      permissions: ["cv.certificate:view", "cv.certificate:update"],
      availableModels: ["cv.certificate"],
    });
  });

  test.each([
    ["says nothing", undefined],
    ["is guessed about", guessPermissions({ access_level: 10, profile: { is_superuser: false } })],
  ])("nothing is remembered of a back end that %s", (_what, permissions) => {
    expect(remember(permissions)).toEqual({ permissions: [], availableModels: [] });
  });
});

describe("access control", () => {
  const all = { view: true, create: true, update: true, delete: true };
  const PERMISSIONS = toPermissions({
    access_level: 10,
    is_superuser: false,
    models: [
      { content_type_id: 7, app_label: "cv", model_name: "link", permissions: { ...all, delete: false } },
      {
        content_type_id: 2,
        app_label: "accounts",
        model_name: "user",
        permissions: { ...all, create: false },
      },
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
});
