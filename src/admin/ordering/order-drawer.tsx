import "./ordering.css";
import { Drawer } from "antd";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { EmptyState } from "../parts/empty-state.tsx";
import { ErrorState } from "../parts/error-state.tsx";
import { FormSkeleton } from "../parts/skeletons.tsx";
import { useReturnedFocus } from "../parts/use-returned-focus.ts";
import { OrderFooter } from "./order-footer.tsx";
import { OrderList } from "./order-list.tsx";
import { type Order, useOrder } from "./use-order.ts";

interface OrderBodyProps {
  model: RecordSource;
  order: Order;
  onDragging: (isDragging: boolean) => void;
}

function OrderBody({ model, order, onDragging }: OrderBodyProps) {
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
  const field = model.fields.find(({ name }) => name === model.order_field)?.verbose_name;
  return (
    <>
      <p className="order-text">{t("ordering.text")}</p>
      <OrderList model={model} order={order} onDragging={onDragging} />
      {total > rows.length && (
        <p className="order-text">
          {t("ordering.more", { shown: format.format(rows.length), total: format.format(total), field })}
        </p>
      )}
    </>
  );
}

/** All objects in their order, over the list. */
export function OrderDrawer({ model, onClose }: { model: RecordSource; onClose: () => void }) {
  const { t } = useTranslation();
  const order = useOrder(model);
  const [isDragging, setDragging] = useState(false);
  useReturnedFocus();
  return (
    <Drawer
      open
      title={t("ordering.title", { kind: model.verbose_name_plural })}
      width="min(640px, 100%)"
      // Escape puts down what is being dragged; then it closes.
      keyboard={!isDragging}
      onClose={onClose}
      closable={{ "aria-label": t("actions.close") }}
      footer={<OrderFooter model={model} order={order} />}
    >
      <OrderBody model={model} order={order} onDragging={setDragging} />
    </Drawer>
  );
}
