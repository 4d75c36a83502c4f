import { useCallback } from "react";
import type { To } from "react-router";
import type { Dependents } from "#contract/models.ts";
import { toModelPath } from "../../models/model-address.ts";
import { useModels } from "../../models/use-models.ts";
import { buildListViewParams, EMPTY_VIEW } from "../state/list-view.ts";

/** Address of the list of those rows that refer to an object; undefined where there is none. */
export function useToReferring(): (entry: Dependents, id: number) => To | undefined {
  const { models } = useModels();
  return useCallback(
    ({ content_type_id, field }, id) => {
      const model = models.find((known) => known.content_type_id === content_type_id);
      // Screens of their own, such as the users', have other filters.
      if (!model || field === undefined || toModelPath(model) !== model.paths.list) return undefined;
      const filters = [{ field, operator: "exact", value: String(id) }] as const;
      return {
        pathname: model.paths.list,
        search: buildListViewParams({ ...EMPTY_VIEW, filters }, model).toString(),
      };
    },
    [models],
  );
}
