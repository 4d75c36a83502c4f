/** @jest-environment node */
import { expect, test } from "@jest/globals";
import type { AuthState } from "../http/auth-state.ts";
import { guessPermissions, rememberPermissions, toPermissions } from "./permissions.ts";

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
  ["tells nothing", undefined],
  ["is guessed about", guessPermissions({ access_level: 10, profile: { is_superuser: false } })],
])("nothing is remembered of a back end that %s", (_what, permissions) => {
  expect(remember(permissions)).toEqual({ permissions: [], availableModels: [] });
});
