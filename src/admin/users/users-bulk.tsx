import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import { objectPaths } from "#resources/objects.ts";
import { USER_MODEL } from "#resources/users.ts";
import { EmptyState } from "../ui/states.tsx";
import { useModelPermissions } from "../use-model-permissions.ts";
import { toModelSearch } from "./model-search.ts";

/** `/admin/users/bulk`: the bulk page of the content model behind users, with the same rows. */
export function UsersBulk() {
  const { t } = useTranslation();
  const { search, state } = useLocation();
  const { contentTypeId } = useModelPermissions(USER_MODEL);
  if (contentTypeId === undefined)
    return <EmptyState title={t("errors.notFound")} text={t("errors.notFoundHelp")} />;
  const to = { pathname: objectPaths.bulk(contentTypeId), search: toModelSearch(search) };
  return <Navigate to={to} state={state} replace />;
}
