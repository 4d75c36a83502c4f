import { useList } from "@refinedev/core";
import { keepPreviousData } from "@tanstack/react-query";
import { Select, type SelectProps } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/models.ts";
import { objectsResource } from "#resources/objects.ts";
import { useDebounced } from "../../../parts/use-debounced.ts";
import { relatedValue } from "../../cell-value.ts";
import type { ControlDefinition, ControlProps } from "./control.ts";
import { FieldItem } from "./field-item.tsx";

const OPTIONS_PER_REQUEST = 20;
const SEARCH_DELAY_MS = 250;

interface Related {
  id: number;
  repr: string;
}

interface RelationInputProps extends Omit<SelectProps, "value" | "onChange"> {
  relatedModel: number;
  isRequired: boolean;
  /** Given by the form item. */
  value?: Related | null;
  onChange?: (value: Related | null) => void;
}

/** Picks a row of another model. Never fetches more than 20 options, whatever the table holds. */
function RelationInput({ relatedModel, isRequired, value, onChange, ...rest }: RelationInputProps) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [search, setSearch] = useState("");
  const settledSearch = useDebounced(search, SEARCH_DELAY_MS);
  const { query, result } = useList<ModelRecord>({
    resource: objectsResource(relatedModel),
    pagination: { currentPage: 1, pageSize: OPTIONS_PER_REQUEST },
    meta: { search: settledSearch },
    queryOptions: { enabled: isOpen, placeholderData: keepPreviousData },
    errorNotification: false,
  });
  const hasMore = (result.total ?? 0) > result.data.length;
  return (
    <Select
      {...rest}
      showSearch
      labelInValue
      allowClear={!isRequired}
      filterOption={false}
      loading={query.isFetching}
      value={value ? { value: value.id, label: value.repr } : null}
      options={result.data.map((row) => ({ value: row.id, label: row.repr }))}
      onSearch={setSearch}
      onOpenChange={setOpen}
      onChange={(option: { value: number; label?: unknown } | undefined) =>
        onChange?.(option ? { id: option.value, repr: String(option.label ?? `#${option.value}`) } : null)
      }
      placeholder={t("form.chooseRelated")}
      notFoundContent={
        query.isError
          ? t("errors.loadObjects")
          : query.isFetching
            ? t("states.loading")
            : t("states.noMatches")
      }
      popupRender={(menu) => (
        <>
          {menu}
          {hasMore && <p className="select-note">{t("form.moreRelated")}</p>}
        </>
      )}
    />
  );
}

function RelationControl({ field }: ControlProps) {
  return (
    <FieldItem field={field}>
      <RelationInput relatedModel={field.related_model ?? 0} isRequired={field.required} />
    </FieldItem>
  );
}

/** Written as the row's id, read as `{ id, repr }`; a back end that gives the id alone is understood too. */
function toRelated(value: unknown): Related | null {
  if (typeof value === "number") return { id: value, repr: `#${value}` };
  const parsed = relatedValue.safeParse(value);
  return parsed.success ? { id: parsed.data.id, repr: parsed.data.repr } : null;
}

export const relation: ControlDefinition = {
  Control: RelationControl,
  toInput: toRelated,
  toWire: (input) => toRelated(input)?.id ?? null,
};
