import { useInvalidate, useList } from "@refinedev/core";
import { useCallback, useMemo } from "react";
import type { ModelInfo } from "#contract/content/models.ts";
import { withinPermissions } from "#providers/refine/permissions.ts";
import { accessLevelsResource } from "#resources/access-levels.ts";
import { actionsResource } from "#resources/actions.ts";
import { type RecordSource, toRecordSource } from "#resources/record-source.ts";
import { modelsResource } from "#resources/screens.ts";
import { usersResource } from "#resources/users.ts";
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

/** Models that have screens of their own (specification B section 2: the user model leads to users). */
const OWN_SCREENS: Readonly<Record<string, string>> = {
  "accounts.user": usersResource.list,
  "accounts.access_level": accessLevelsResource.list,
  "audit.entry": actionsResource.list,
};

const findOwnScreen = ({ app_label, model_name }: RecordSource) => OWN_SCREENS[`${app_label}.${model_name}`];

/** Where the records of a model are listed. */
export function toModelPath(source: RecordSource): string {
  return findOwnScreen(source) ?? source.paths.list;
}

/** Where one record of a model is shown. */
function toRecordPath(source: RecordSource, id: number): string {
  const own = findOwnScreen(source);
  return own === undefined ? source.paths.edit(id) : `${own}/${id}`;
}

/** Address of a record by its model's number; undefined where the reader may not see that model. */
export function useToRelated(): (model: number, id: number) => string | undefined {
  const { models } = useModels();
  const byId = useMemo(() => new Map(models.map((source) => [source.content_type_id, source])), [models]);
  return useCallback(
    (model, id) => {
      const found = byId.get(model);
      return found && toRecordPath(found, id);
    },
    [byId],
  );
}
