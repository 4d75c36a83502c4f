import type { AccessControlProvider } from "@refinedev/core";
import type { Permission, Permissions } from "./refine/permissions.ts";

/** Refine's actions under the names that permissions are given by. */
const PERMISSIONS: Readonly<Record<string, Permission>> = {
  list: "view",
  show: "view",
  create: "create",
  clone: "create",
  edit: "update",
  delete: "delete",
};

/** The content models behind the resources that have doors of their own. */
const MODEL_KEYS: Readonly<Record<string, string>> = {
  users: "accounts.user",
  "access-levels": "accounts.access_level",
  actions: "audit.entry",
  "email-monitoring": "mail.message",
  "email-bounces": "mail.bounce",
  "email-complaints": "mail.complaint",
};

/** The model that decides about a resource; undefined where the server alone does. */
export function findModelKey(resource: string): number | string | undefined {
  const id = /^models\/(\d+)\/objects$/.exec(resource)?.[1];
  return id === undefined ? MODEL_KEYS[resource] : Number(id);
}

/** Answers from the permissions that are known, without a request of its own: Refine asks once for each row and button. */
export function createAccessControl(permissions: Permissions): AccessControlProvider {
  return {
    async can({ resource, action }) {
      const model = findModelKey(resource ?? "");
      const permission = PERMISSIONS[action];
      if (model === undefined || permission === undefined) return { can: true };
      return { can: permissions.can(permission, model) };
    },
    options: { buttons: { hideIfUnauthorized: true } },
  };
}
