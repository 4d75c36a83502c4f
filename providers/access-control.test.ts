import { expect, test } from "@jest/globals";
import type { ModelInfo } from "#contract/models.ts";
import { createAccessControl } from "./access-control.ts";

// Only these two parts are read.
const MODELS = [
  { content_type_id: 7, permissions: { view: true, create: true, update: true, delete: false } },
] as unknown as ModelInfo[];

test.each([
  ["models/7/objects", "edit", true],
  ["models/7/objects", "delete", false],
  ["models/8/objects", "list", false],
  ["models", "list", true],
])("%s %s: %s", async (resource, action, can) => {
  expect(await createAccessControl(() => MODELS).can({ resource, action })).toEqual({ can });
});
