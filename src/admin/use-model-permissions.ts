import { useMemo } from "react";
import type { ModelInfo } from "#contract/models.ts";
import { useServices } from "./services.ts";

/** What the signed-in person may do with a model such as `accounts.user`, and its number where the back end names one. */
export function useModelPermissions(model: string): {
  permissions: ModelInfo["permissions"];
  contentTypeId: number | undefined;
} {
  const { permissions } = useServices();
  return useMemo(
    () => ({
      permissions: {
        view: permissions.can("view", model),
        create: permissions.can("create", model),
        update: permissions.can("update", model),
        delete: permissions.can("delete", model),
      },
      contentTypeId: permissions.findContentType?.(model),
    }),
    [permissions, model],
  );
}
