import { useInvalidate, useList } from "@refinedev/core";
import { useCallback } from "react";
import type { ModelInfo } from "#contract/models.ts";
import { modelsResource } from "#resources/models.ts";

/** Lifetime of model information (specification B section 9). */
const MODELS_STALE_MS = 600_000;

/** Every model with its fields and permissions: one call for the whole session, until a count or the language changes. */
export function useModels() {
  const { query, result } = useList<ModelInfo>({
    resource: modelsResource.name,
    pagination: { mode: "off" },
    queryOptions: { staleTime: MODELS_STALE_MS },
    errorNotification: false,
  });
  return { query, models: result.data };
}

/** Forgets the counts after a row was made or deleted. */
export function useRefreshModels(): () => void {
  const invalidate = useInvalidate();
  return useCallback(() => {
    void invalidate({ resource: modelsResource.name, invalidates: ["list"] });
  }, [invalidate]);
}
