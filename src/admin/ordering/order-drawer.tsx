import "./ordering.css";
import { CheckCircleOutlined, UndoOutlined } from "@ant-design/icons";
import { Button, Drawer } from "antd";
import type { TFunction } from "i18next";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { type RecordSource, toSitePath } from "#resources/record-source.ts";
import { DECORATIVE, useReturnedFocus } from "../ui/accessibility.ts";
import { ErrorState } from "../ui/errors.tsx";
import { EmptyState, FormSkeleton } from "../ui/states.tsx";
import { OrderList } from "./order-list.tsx";
import { type Order, useOrder } from "./use-order.ts";

interface OrderBodyProps {
  source: RecordSource;
  order: Order;
  onDragging: (isDragging: boolean) => void;
}

function OrderBody({ source, order, onDragging }: OrderBodyProps) {
  const { t, i18n } = useTranslation();
  const { query, rows, total } = order;
  if (query.isPending) return <FormSkeleton />;
  if (query.isError && !query.data) {
    return (
      <ErrorState title={t("errors.loadObjects")} error={query.error} onRetry={() => void query.refetch()} />
    );
  }
  if (rows.length === 0) return <EmptyState title={t("list.none")} text={t("ordering.none")} />;
  const format = new Intl.NumberFormat(i18n.language);
  const field = source.fields.find(({ name }) => name === source.order_field)?.verbose_name;
  return (
    <>
      <p className="order-text">{t("ordering.text")}</p>
      <OrderList source={source} order={order} onDragging={onDragging} />
      {total > rows.length && (
        <p className="order-text">
          {t("ordering.more", { shown: format.format(rows.length), total: format.format(total), field })}
        </p>
      )}
    </>
  );
}

/** All objects in their order, over the list. */
export function OrderDrawer({ source, onClose }: { source: RecordSource; onClose: () => void }) {
  const { t } = useTranslation();
  const order = useOrder(source);
  const [isDragging, setDragging] = useState(false);
  useReturnedFocus();
  return (
    <Drawer
      open
      title={t("ordering.title", { kind: source.verbose_name_plural })}
      width="min(640px, 100%)"
      // Escape puts down what is being dragged; then it closes.
      keyboard={!isDragging}
      onClose={onClose}
      closable={{ "aria-label": t("actions.close") }}
      footer={<OrderFooter source={source} order={order} />}
    >
      <OrderBody source={source} order={order} onDragging={setDragging} />
    </Drawer>
  );
}

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
  source: RecordSource;
  order: Order;
}

/** What became of the last change, the way back from the last move, and the page that shows it. */
function OrderFooter({ source, order }: OrderFooterProps) {
  const { t, i18n } = useTranslation();
  const { done, isSaving, undo } = order;
  const text = toDoneText(order, t, i18n.language);
  const sitePath = toSitePath(source, null);
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
      {sitePath && (
        <a href={sitePath} target="_blank" rel="noreferrer">
          {t("form.viewOnSite")}
        </a>
      )}
    </div>
  );
}
