import { Button, Select, type SelectProps } from "antd";
import type { UIEvent } from "react";
import { useTranslation } from "react-i18next";
import { USER_MODEL } from "#resources/users.ts";
import { useServices } from "../../../services.ts";
import type { Related } from "../../kinds/related-select.tsx";
import { useRelatedOptions } from "./use-related-options.ts";

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
