import "./actions.css";
import { useMemo } from "react";
import type { RecordSource } from "#resources/record-source.ts";
import { USER_MODEL } from "#resources/users.ts";
import { useModels } from "../models/use-models.ts";
import { PageHeader } from "../navigation/page-header.tsx";
import { RowsSkeleton } from "../parts/skeletons.tsx";
import { useModelPermissions } from "../use-model-permissions.ts";
import { ListPage, type ListPageProps } from "../views/list/list-page.tsx";
import { ACTION_CELLS } from "./action-cells.tsx";
import { useActionsSource } from "./use-actions-source.ts";
import { isUserFilter, UserFilter } from "./user-filter.tsx";

function ListSkeleton({ model }: { model: RecordSource }) {
  return (
    <>
      <PageHeader title={model.verbose_name_plural} text={model.description} />
      <RowsSkeleton />
    </>
  );
}

/** `/admin/actions` (specification B section 2): the generic list over the documented log. */
export function ActionsPage() {
  const usersModel = useModelPermissions(USER_MODEL).contentTypeId;
  const ownFilter = useMemo<ListPageProps["ownFilter"]>(
    () => ({
      draw: (filters, onChange) => (
        <UserFilter filters={filters} onChange={onChange} usersModel={usersModel} />
      ),
      owns: isUserFilter,
    }),
    [usersModel],
  );
  const model = useActionsSource();
  const { query } = useModels();
  // The log's model says whether there are lines for operations: asked before, the list would show their entries for a moment.
  if (query.isPending) return <ListSkeleton model={model} />;
  return <ListPage model={model} ownFilter={ownFilter} cells={ACTION_CELLS} />;
}
