import { Pagination, type PaginationProps } from "antd";
import { cloneElement, isValidElement } from "react";
import { useTranslation } from "react-i18next";
import { useShownCount } from "../../../models/counts.ts";
import type { ListView } from "../../state/list-view.ts";
import type { ChangeView } from "../../state/use-list-view.ts";

const PAGE_SIZES = [20, 50, 100, 200];

interface PagerProps {
  view: ListView;
  total: number;
  isEstimate: boolean;
  /** Nothing is drawn where there is one page alone. */
  isHiddenOnOnePage: boolean;
  onChange: ChangeView;
}

/** Up to five page numbers and the size of a page (specification B section 9). */
export function Pager({ view, total, isEstimate, isHiddenOnOnePage, onChange }: PagerProps) {
  const { t } = useTranslation();
  const shownCount = useShownCount();
  // antd's arrows are buttons called "left" and "right", in every language.
  const drawItem: PaginationProps["itemRender"] = (_page, type, element) => {
    if (!isValidElement<{ "aria-label"?: string }>(element)) return element;
    if (type === "prev") return cloneElement(element, { "aria-label": t("list.previousPage") });
    return type === "next" ? cloneElement(element, { "aria-label": t("list.nextPage") }) : element;
  };
  if (isHiddenOnOnePage && view.page === 1 && total <= view.pageSize) return null;
  return (
    <nav className="pager" aria-label={t("list.pages")}>
      <Pagination
        current={view.page}
        pageSize={view.pageSize}
        total={total}
        // antd's short form: the first, the last and what lies around the current page, never more than five numbers.
        showLessItems
        itemRender={drawItem}
        showSizeChanger
        pageSizeOptions={PAGE_SIZES}
        showTotal={(_total, [from, to]) =>
          t("list.range", {
            from: shownCount(from, false),
            to: shownCount(to, false),
            total: shownCount(total, isEstimate),
          })
        }
        onChange={(page, pageSize) => onChange(pageSize === view.pageSize ? { page } : { pageSize })}
      />
    </nav>
  );
}
