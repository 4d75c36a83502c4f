import { useCallback, useMemo } from "react";
import { toRecordPath } from "./model-address.ts";
import { useModels } from "./use-models.ts";

/** Address of a record by its model's number; undefined where the reader may not see that model. */
export function useToRelated(): (model: number, id: number) => string | undefined {
  const { models } = useModels();
  const byId = useMemo(() => new Map(models.map((model) => [model.content_type_id, model])), [models]);
  return useCallback(
    (model, id) => {
      const found = byId.get(model);
      return found && toRecordPath(found, id);
    },
    [byId],
  );
}
