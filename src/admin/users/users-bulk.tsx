import { useTranslation } from "react-i18next";
import { Navigate, useLocation } from "react-router";
import { objectPaths } from "#resources/record-source.ts";
import { USER_MODEL, USER_MODEL_NAMES } from "#resources/users.ts";
import { useModelPermissions } from "../services.ts";
import { EmptyState } from "../ui/states.tsx";
import { buildListViewParams, EMPTY_VIEW, parseListView, renameGroup } from "../views/state/list-view.ts";

const toModelName = (name: string) => USER_MODEL_NAMES[name] ?? name;

function toModelGroup(text: string): string {
  const { groups } = parseListView(new URLSearchParams({ any: text }));
  const renamed = groups.map((group) => renameGroup(group, USER_MODEL_NAMES));
  return buildListViewParams({ ...EMPTY_VIEW, groups: renamed }).get("any") ?? "";
}

function toModelValue(key: string, value: string): string {
  switch (key) {
    case "filter": {
      const [field = "", ...rest] = value.split(":");
      return [toModelName(field), ...rest].join(":");
    }
    case "any":
      return toModelGroup(value);
    case "sort":
      return value.startsWith("-") ? `-${toModelName(value.slice(1))}` : toModelName(value);
    case "columns":
      return value.split(",").map(toModelName).join(",");
    default:
      return value;
  }
}

/** The query of the users' list in the names of its content model. */
export function toModelSearch(search: string): string {
  const params = [...new URLSearchParams(search)].map(([key, value]) => [key, toModelValue(key, value)]);
  return new URLSearchParams(params).toString();
}

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
