import { Select, type SelectProps } from "antd";
import { useTranslation } from "react-i18next";
import type { Related } from "./related.ts";
import { useRelatedOptions } from "./use-related-options.ts";

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

function toRelated({ value, label }: Option): Related {
  return { id: value, repr: String(label ?? `#${value}`) };
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
  const { options, hasMore, isFetching, isError, setOpen, setSearch } = useRelatedOptions(relatedModel);
  const chosen = value.map(toOption);
  const waiting = isFetching ? t("states.loading") : t("states.noMatches");
  return (
    <Select
      placeholder={t("form.chooseRelated")}
      {...rest}
      {...(isMultiple && { mode: "multiple" as const })}
      showSearch
      labelInValue
      filterOption={false}
      loading={isFetching}
      value={isMultiple ? chosen : (chosen[0] ?? null)}
      options={options}
      onSearch={setSearch}
      onOpenChange={setOpen}
      onChange={(next: Option | Option[] | undefined) =>
        onChange(
          [next ?? []]
            .flat()
            .map(toRelated)
            .sort((a, b) => a.id - b.id),
        )
      }
      notFoundContent={isError ? t("errors.loadObjects") : waiting}
      popupRender={(menu) => (
        <>
          {menu}
          {hasMore && <p className="select-note">{t("form.moreRelated")}</p>}
        </>
      )}
    />
  );
}
