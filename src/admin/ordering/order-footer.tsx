import { CheckCircleOutlined, UndoOutlined } from "@ant-design/icons";
import { Button } from "antd";
import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { DECORATIVE } from "../parts/decorative.ts";
import type { Order } from "./use-order.ts";

/** What was done last, in a sentence; undefined before anything was. */
function toDoneText({ rows, total, done, note }: Order, t: TFunction, lang: string): string | undefined {
  if (note) {
    const { record, isHidden } = note;
    return t(isHidden ? "ordering.hiddenNote" : "ordering.shownNote", { name: record.repr });
  }
  const place = rows.findIndex(({ id }) => id === done?.record.id) + 1;
  if (!done || place === 0) return undefined;
  const format = new Intl.NumberFormat(lang);
  const places = { place: format.format(place), total: format.format(total) };
  return t("ordering.moved", { name: done.record.repr, ...places });
}

interface OrderFooterProps {
  model: RecordSource;
  order: Order;
}

/** What became of the last change, the way back from the last move, and the page that shows it. */
export function OrderFooter({ model, order }: OrderFooterProps) {
  const { t, i18n } = useTranslation();
  const { done, isSaving, undo } = order;
  const text = toDoneText(order, t, i18n.language);
  return (
    <div className="order-footer">
      <p className="order-status" role="status">
        {isSaving && t("ordering.saving")}
        {!isSaving && text && (
          <>
            <CheckCircleOutlined {...DECORATIVE} /> {text}
          </>
        )}
      </p>
      {done && (
        <Button
          icon={<UndoOutlined {...DECORATIVE} />}
          aria-label={t("ordering.undoLast", { name: done.record.repr })}
          loading={isSaving}
          onClick={undo}
        >
          {t("ordering.undo")}
        </Button>
      )}
      {model.site_path && (
        <a href={model.site_path} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")}
        </a>
      )}
    </div>
  );
}
