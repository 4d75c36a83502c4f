import type { AccessControlProvider } from "@refinedev/core";
import type { ModelInfo } from "#contract/models.ts";

type Permission = keyof ModelInfo["permissions"];

/** Refine's actions under the names that the models call gives permissions by. */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  list: "view",
  show: "view",
  create: "create",
  clone: "create",
  edit: "update",
  delete: "delete",
};

/**
 * Answers from what the models call said, without a request of its own (Refine asks once for each row and button).
 * Resources that are no content model are decided by the server alone.
 */
export function createAccessControl(getModels: () => readonly ModelInfo[]): AccessControlProvider {
  return {
    async can({ resource, action }) {
      const id = /^models\/(\d+)\/objects$/.exec(resource ?? "")?.[1];
      const permission = PERMISSIONS[action];
      if (id === undefined || permission === undefined) return { can: true };
      const model = getModels().find((candidate) => candidate.content_type_id === Number(id));
      return { can: model?.permissions[permission] ?? false };
    },
    options: { buttons: { hideIfUnauthorized: true } },
  };
}
