import { useQuery } from "@tanstack/react-query";
import { useContext } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import { toCrudFilter } from "#providers/data.ts";
import { actionsResource } from "#resources/actions.ts";
import { usersResource } from "#resources/users.ts";
import { ProvidersContext } from "../providers-context.ts";
import { fold } from "../ui/fold.ts";
import { useResourceOptions } from "../views/kinds/related-select.tsx";
import { parseEntry } from "./entry.tsx";

/** The newest deletions; another account is found by its number. */
const DELETED_SHOWN = 20;

const exact = (field: string, value: string | number) =>
  toCrudFilter({ field, operator: "exact", value: String(value) });

/** Deleted accounts are nobody's rows any more: the log tells of them, by the entries of their deletions. */
function useDeletedAccounts(usersModel: number | undefined, search: string, isOpen: boolean) {
  const { t } = useTranslation();
  const { dataProvider } = useContext(ProvidersContext);
  const number = /\d+/.exec(search)?.[0];
  const words = fold(t("audit.deletedAccount", { id: "" })).text.trim();
  const isMeant = number !== undefined || words.startsWith(fold(search).text.trim());
  const { data } = useQuery({
    queryKey: ["data", "default", actionsResource.name, "list", "deleted accounts", number ?? ""],
    queryFn: ({ signal }) =>
      dataProvider.getList<ModelRecord>({
        resource: actionsResource.name,
        pagination: { currentPage: 1, pageSize: DELETED_SHOWN },
        filters: [
          exact("action_type", "DELETE"),
          exact("content_type_id", usersModel ?? 0),
          ...(number === undefined ? [] : [exact("object_id", number)]),
        ],
        meta: { signal },
      }),
    enabled: isOpen && isMeant && usersModel !== undefined,
  });
  const ids = (isMeant ? (data?.data ?? []) : []).map((record) => Number(parseEntry(record).object_id));
  return [...new Set(ids)].map((id) => ({ value: String(id), label: t("audit.deletedAccount", { id }) }));
}

/** Who may have done something: people, 20 at a time as they are searched, and accounts that were deleted. */
export function useUserOptions(usersModel: number | undefined) {
  const people = useResourceOptions(usersResource.name);
  const deleted = useDeletedAccounts(usersModel, people.search, people.isOpen);
  return { people, deleted };
}
