import { useCallback, useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { ListPage } from "../views/list/list-page.tsx";
import { DeleteRow } from "../views/record-actions/delete-row.tsx";
import { LevelActions } from "./level-actions.tsx";
import { LEVEL_CELLS } from "./level-cells.tsx";
import { useAccessLevelsSource } from "./use-access-levels-source.ts";

/** `/admin/access-levels`: the generic list over the documented doors. */
export function AccessLevelsPage() {
  const model = useAccessLevelsSource();
  const [deleted, setDeleted] = useState<ModelRecord>();
  const rowActions = useCallback(
    (record: ModelRecord) => (
      <LevelActions model={model} record={record} onDelete={() => setDeleted(record)} />
    ),
    [model],
  );
  const { update, delete: mayDelete } = model.permissions;
  return (
    <>
      <ListPage model={model} cells={LEVEL_CELLS} {...((update || mayDelete) && { rowActions })} />
      {deleted && <DeleteRow model={model} record={deleted} onClose={() => setDeleted(undefined)} />}
    </>
  );
}
