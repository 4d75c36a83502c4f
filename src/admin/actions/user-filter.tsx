import { useOne } from "@refinedev/core";
import { useQuery } from "@tanstack/react-query";
import { Button, Select } from "antd";
import { useContext, useId } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord, QueryFilter } from "#contract/content/models.ts";
import { toCrudFilter } from "#providers/refine/data.ts";
import { isDataError } from "#providers/refine/data-error.ts";
import { actionsResource } from "#resources/actions.ts";
import { usersResource } from "#resources/users.ts";
import { toId } from "../navigation/addresses.ts";
import { ProvidersContext } from "../services.ts";
import { fold } from "../ui/fold.ts";
import { useResourceOptions } from "../views/kinds/related-select.tsx";
import { parseEntry } from "./entry.tsx";

const NAME_STALE_MS = 120_000;

/** What people call a person by the number in an address; an account that is no more has its pseudonym. */
function useUserName(id: number | undefined): string {
  const { t } = useTranslation();
  const { query, result } = useOne<ModelRecord>({
    resource: usersResource.name,
    id: id ?? 0,
    queryOptions: { enabled: id !== undefined, staleTime: NAME_STALE_MS, retry: false },
    errorNotification: false,
  });
  if (result) return result.repr;
  const isGone = isDataError(query.error) && query.error.statusCode === 404;
  return isGone ? t("audit.deletedAccount", { id }) : `#${id}`;
}

/** The newest deletions; another account is found by its number. */
const DELETED_SHOWN = 20;

const exact = (field: string, value: string | number) =>
  toCrudFilter({ field, operator: "exact", value: String(value) });

/** Deleted accounts are nobody's rows any more: the log names them, in the entries of their deletions. */
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
function useUserOptions(usersModel: number | undefined) {
  const people = useResourceOptions(usersResource.name);
  const deleted = useDeletedAccounts(usersModel, people.search, people.isOpen);
  return { people, deleted };
}

const FIELD = "user";
const ALL = "all";
const SYSTEM = "system";

interface UserFilterProps {
  filters: readonly QueryFilter[];
  onChange: (filters: readonly QueryFilter[]) => void;
  /** Of the log's entries about users; undefined where there is no such model. */
  usersModel: number | undefined;
}

/** The filter that the control stands for: the documented one by number, or the entries of nobody. */
export function isUserFilter({ field, operator, value }: QueryFilter): boolean {
  return field === FIELD && (operator === "exact" || (operator === "isnull" && value === "true"));
}

function toFilter(value: string): QueryFilter[] {
  if (value === ALL) return [];
  if (value === SYSTEM) return [{ field: FIELD, operator: "isnull", value: "true" }];
  return [{ field: FIELD, operator: "exact", value }];
}

/** Whose entries are listed: everybody's, the server's own, or one person's, also after their account was deleted. */
export function UserFilter({ filters, onChange, usersModel }: UserFilterProps) {
  const { t } = useTranslation();
  const id = useId();
  const chosen = filters.find(isUserFilter);
  const userId = chosen?.operator === "exact" ? toId(chosen.value) : undefined;
  const name = useUserName(userId);
  const { people, deleted } = useUserOptions(usersModel);
  const value =
    chosen === undefined
      ? { value: ALL, label: t("list.all") }
      : userId === undefined
        ? { value: SYSTEM, label: t("audit.system") }
        : { value: chosen.value, label: name };
  const fixed = [
    { value: ALL, label: t("list.all") },
    { value: SYSTEM, label: t("audit.system") },
  ];
  const options = [
    ...(people.search === "" ? fixed : []),
    {
      label: t("audit.people"),
      options: people.options.map((each) => ({ ...each, value: String(each.value) })),
    },
    { label: t("audit.deletedAccounts"), options: deleted },
  ].filter((each) => !("options" in each) || each.options.length > 0);
  return (
    <span className="quick-filter">
      <label htmlFor={id}>{t("audit.fields.user")}</label>
      <Select
        id={id}
        showSearch
        labelInValue
        filterOption={false}
        popupMatchSelectWidth={false}
        loading={people.isFetching}
        value={value}
        options={options}
        onSearch={people.setSearch}
        onOpenChange={people.setOpen}
        onChange={(next) =>
          onChange([...filters.filter((filter) => !isUserFilter(filter)), ...toFilter(next.value)])
        }
        notFoundContent={
          people.isError
            ? t("errors.loadObjects")
            : t(people.isFetching ? "states.loading" : "states.noMatches")
        }
        popupRender={(menu) => (
          <>
            {menu}
            {people.hasMore && (
              <Button
                type="link"
                size="small"
                loading={people.isFetching}
                // The list closes when its input loses the focus.
                onMouseDown={(event) => event.preventDefault()}
                onClick={people.loadMore}
              >
                {t("form.moreRelated")}
              </Button>
            )}
          </>
        )}
      />
    </span>
  );
}
