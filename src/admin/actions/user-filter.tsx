import { Button, Select } from "antd";
import { useId } from "react";
import { useTranslation } from "react-i18next";
import type { QueryFilter } from "#contract/models.ts";
import { toId } from "../navigation/addresses.ts";
import { useUserName } from "./use-user-name.ts";
import { useUserOptions } from "./use-user-options.ts";

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
