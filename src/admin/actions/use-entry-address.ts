import { useCallback } from "react";
import type { ActionEntry } from "#contract/admin-users.ts";
import { useToRelated } from "../models/use-models.ts";
import { toId } from "../navigation/addresses.ts";

/** Address of what an entry speaks of; undefined where it was deleted, or the reader may not see its model. */
export function useEntryAddress(): (entry: ActionEntry) => string | undefined {
  const toRelated = useToRelated();
  return useCallback(
    ({ action_type, content_type_id, object_id, is_object_gone }) => {
      const id = toId(object_id ?? undefined);
      if (action_type === "DELETE" || is_object_gone || content_type_id === null || Number.isNaN(id))
        return undefined;
      return toRelated(content_type_id, id);
    },
    [toRelated],
  );
}
