import "./users.css";
import { useCallback, useState } from "react";
import type { ModelRecord } from "#contract/models.ts";
import { LevelsFailed } from "../access-levels/levels-failed.tsx";
import { useLevels } from "../access-levels/use-levels.ts";
import { ListPage } from "../views/list/list-page.tsx";
import { DeleteRow } from "../views/record-actions/delete-row.tsx";
import { toPersonName } from "./person-name.ts";
import { SuspendDialog } from "./suspend-dialog.tsx";
import { useUsersSource } from "./use-users-source.ts";
import { UserActions, type UserOperation } from "./user-actions.tsx";
import { USER_CELLS } from "./user-cells.tsx";

interface Asked {
  operation: UserOperation;
  record: ModelRecord;
}

/** `/admin/users` (specification B section 2): the generic list over the documented doors, and what one does with an account. */
export function UsersPage() {
  const { query, levels } = useLevels();
  const model = useUsersSource(levels);
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const rowActions = useCallback(
    (record: ModelRecord) => (
      <UserActions
        model={model}
        record={record}
        onAsk={(operation) => setAsked({ operation, record: { ...record, repr: toPersonName(record) } })}
      />
    ),
    [model],
  );
  return (
    <>
      <LevelsFailed query={query} />
      <ListPage model={model} cells={USER_CELLS} rowActions={rowActions} />
      {asked?.operation === "delete" && <DeleteRow model={model} record={asked.record} onClose={close} />}
      {asked?.operation === "suspend" && (
        <SuspendDialog model={model} record={asked.record} onClose={close} />
      )}
    </>
  );
}
