import "./actions.css";
import { ListPage } from "../views/list/list-page.tsx";
import { ACTION_CELLS } from "./action-cells.tsx";
import { useActionsSource } from "./use-actions-source.ts";

/** `/admin/actions` (specification B section 2): the generic list over the documented log. */
export function ActionsPage() {
  return <ListPage model={useActionsSource()} cells={ACTION_CELLS} />;
}
