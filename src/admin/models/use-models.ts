import { useInvalidate, useList } from "@refinedev/core";
import { useCallback, useMemo } from "react";
import type { ModelInfo } from "#contract/models.ts";
import { withinPermissions } from "#providers/permissions.ts";
import { modelsResource } from "#resources/models.ts";
import { type RecordSource, toRecordSource } from "#resources/record-source.ts";
import { useServices } from "../services.ts";

/** Lifetime of model information (specification B section 9). */
const MODELS_STALE_MS = 600_000;

/** Every model with its fields and permissions: one call for the whole session, until a count or the language changes. */
export function useModels(): {
  query: ReturnType<typeof useList<ModelInfo>>["query"];
  models: readonly RecordSource[];
} {
  const { query, result } = useList<ModelInfo>({
    resource: modelsResource.name,
    pagination: { mode: "off" },
    queryOptions: { staleTime: MODELS_STALE_MS },
    errorNotification: false,
  });
  const { permissions } = useServices();
  const models = useMemo(
    () => result.data.map((model) => toRecordSource(withinPermissions(model, permissions))),
    [result.data, permissions],
  );
  return { query, models };
}

/** Forgets the counts after a row was made or deleted. */
export function useRefreshModels(): () => void {
  const invalidate = useInvalidate();
  return useCallback(() => {
    void invalidate({ resource: modelsResource.name, invalidates: ["list"] });
  }, [invalidate]);
}
