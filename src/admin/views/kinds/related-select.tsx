import { useList } from "@refinedev/core";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Button, Select, type SelectProps } from "antd";
import { type UIEvent, useContext, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import { toCrudFilter } from "#providers/refine/data.ts";
import type { Rows } from "#providers/refine/endpoint.ts";
import { objectsResource } from "#resources/record-source.ts";
import { USER_MODEL } from "#resources/users.ts";
import { ProvidersContext, useServices } from "../../services.ts";
import { useSelectBoxWithoutRequired } from "../../ui/accessibility.ts";
import { useDebounced } from "../../ui/timing.ts";
import { relatedValue } from "./cell-value.ts";

/** A row of another model, by its id and what people call it. */
export interface Related {
  id: number;
  repr: string;
}

/** Written as the row's id, read as `{ id, repr }`; a back end that gives the id alone is understood too. */
export function toRelated(value: unknown): Related | null {
  if (typeof value === "number") return { id: value, repr: `#${value}` };
  const parsed = relatedValue.safeParse(value);
  return parsed.success ? { id: parsed.data.id, repr: parsed.data.repr } : null;
}

/** Several of them in the order of their ids, so that the same rows are always the same value. */
export function toRelatedRows(value: unknown): Related[] {
  const rows = Array.isArray(value) ? value.flatMap((row) => toRelated(row) ?? []) : [];
  return rows.sort((a, b) => a.id - b.id);
}

/** The parts of a value of `in`. */
export function splitValues(value: string): string[] {
  return value.split(",").filter((part) => part !== "");
}

/** Filters name at most so many related rows; the rest keep their numbers. */
const NAMES_MAX = 100;

/** What people call some rows of a model, by id: an address holds the ids alone. What has no known name is absent. */
export function useRelatedNames(
  relatedModel: number | null,
  ids: readonly number[],
): ReadonlyMap<number, string> {
  const asked = ids.slice(0, NAMES_MAX);
  const { result } = useList<ModelRecord>({
    resource: objectsResource(relatedModel ?? 0),
    pagination: { currentPage: 1, pageSize: NAMES_MAX },
    filters: [toCrudFilter({ field: "id", operator: "in", value: asked.join(",") })],
    queryOptions: { enabled: relatedModel !== null && asked.length > 0, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  return useMemo(() => new Map(result.data.map(({ id, repr }) => [id, repr])), [result.data]);
}

const OPTIONS_PER_REQUEST = 20;
const SEARCH_DELAY_MS = 250;
const STALE_MS = 120_000;

/** Rows of another model to choose from. */
function useRelatedOptions(relatedModel: number) {
  return useResourceOptions(objectsResource(relatedModel));
}

/** Rows of a resource to choose from, while a list of them is open: 20 at a time, whatever the table holds. */
export function useResourceOptions(resource: string) {
  const { dataProvider } = useContext(ProvidersContext);
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const settledSearch = useDebounced(search, SEARCH_DELAY_MS);
  const query = useInfiniteQuery({
    queryKey: ["data", "default", resource, "list", "options", settledSearch],
    queryFn: ({ pageParam, signal }): Promise<Rows> =>
      dataProvider.getList<ModelRecord>({
        resource,
        pagination: { currentPage: pageParam, pageSize: OPTIONS_PER_REQUEST },
        // An outdated search is aborted.
        meta: { search: settledSearch, signal },
      }),
    initialPageParam: 1,
    getNextPageParam: ({ data, total, isEstimate }, pages) => {
      const isFull = data.length === OPTIONS_PER_REQUEST;
      return isFull && (isEstimate || total > pages.length * OPTIONS_PER_REQUEST)
        ? pages.length + 1
        : undefined;
    },
    enabled: isOpen,
    staleTime: STALE_MS,
    placeholderData: keepPreviousData,
  });
  const rows = query.data?.pages.flatMap((page) => page.data) ?? [];
  // Rows that were made meanwhile push others onto the next page a second time.
  const unique = new Map(rows.map(({ id, repr }) => [Number(id), String(repr)]));
  return {
    options: [...unique].map(([value, label]) => ({ value, label })),
    hasMore: query.hasNextPage,
    isFetching: query.isFetching,
    isError: query.isError,
    loadMore: () => void (query.hasNextPage && !query.isFetching && query.fetchNextPage()),
    isOpen,
    setOpen,
    search: settledSearch,
    setSearch,
  };
}

/** The next rows are fetched when so much of the list is left below. */
const NEAR_END_PX = 120;

interface Option {
  value: number;
  label?: unknown;
}

interface RelatedSelectProps extends Omit<SelectProps, "value" | "onChange" | "mode" | "options"> {
  relatedModel: number;
  isMultiple?: boolean;
  value: readonly Related[];
  onChange: (value: Related[]) => void;
}

function toOption({ id, repr }: Related): Option {
  return { value: id, label: repr };
}

function fromOption({ value, label }: Option): Related {
  return { id: value, repr: String(label ?? `#${value}`) };
}

function isNearEnd({ currentTarget }: UIEvent<HTMLElement>): boolean {
  return currentTarget.scrollHeight - currentTarget.scrollTop - currentTarget.clientHeight < NEAR_END_PX;
}

/** Below the options: the next ones, for whoever doesn't scroll. */
function MoreOptions({ isFetching, onMore }: { isFetching: boolean; onMore: () => void }) {
  const { t } = useTranslation();
  return (
    <div className="select-note">
      <Button
        type="link"
        size="small"
        loading={isFetching}
        // The list closes when its input loses the focus.
        onMouseDown={(event) => event.preventDefault()}
        onClick={onMore}
      >
        {t("form.moreRelated")}
      </Button>
    </div>
  );
}

/** People have words of their own (specification B section 8). */
function useFailedText(relatedModel: number): string {
  const { t } = useTranslation();
  const { permissions } = useServices();
  const isPeople = permissions.findContentType?.(USER_MODEL) === relatedModel;
  return t(isPeople ? "users.failed.fetch" : "errors.loadObjects");
}

/** Picks rows of another model: one, or several in the order of their ids. */
export function RelatedSelect({
  relatedModel,
  isMultiple = false,
  value,
  onChange,
  ...rest
}: RelatedSelectProps) {
  const { t } = useTranslation();
  const related = useRelatedOptions(relatedModel);
  const failedText = useFailedText(relatedModel);
  useSelectBoxWithoutRequired(rest.id);
  const chosen = value.map(toOption);
  const waiting = related.isFetching ? t("states.loading") : t("states.noMatches");
  return (
    <Select
      placeholder={t("form.chooseRelated")}
      {...rest}
      {...(isMultiple && { mode: "multiple" as const })}
      showSearch
      labelInValue
      filterOption={false}
      loading={related.isFetching}
      value={isMultiple ? chosen : (chosen[0] ?? null)}
      options={related.options}
      onSearch={related.setSearch}
      onOpenChange={related.setOpen}
      onPopupScroll={(event) => isNearEnd(event) && related.loadMore()}
      onChange={(next: Option | Option[] | undefined) =>
        onChange(
          [next ?? []]
            .flat()
            .map(fromOption)
            .sort((a, b) => a.id - b.id),
        )
      }
      notFoundContent={related.isError ? failedText : waiting}
      popupRender={(menu) => (
        <>
          {menu}
          {related.hasMore && <MoreOptions isFetching={related.isFetching} onMore={related.loadMore} />}
        </>
      )}
    />
  );
}
