import { OrderedListOutlined } from "@ant-design/icons";
import { Button } from "antd";
import { type ComponentType, lazy, Suspense } from "react";
import { useTranslation } from "react-i18next";
import { useLocation, useSearchParams } from "react-router";
import type { RecordSource } from "#resources/record-source.ts";
import { useStepBack } from "../navigation/addresses.ts";
import { DECORATIVE } from "../ui/accessibility.ts";
import { MissingOverlay } from "../ui/errors.tsx";

/** Dragging comes in a chunk of its own: most who open a list never order it. A chunk that is gone leaves them the list. */
const OrderDrawer = lazy<ComponentType<{ source: RecordSource; onClose: () => void }>>(() =>
  import("./order-drawer.tsx").then(
    (file) => ({ default: file.OrderDrawer }),
    () => ({ default: MissingOverlay }),
  ),
);

/** `?order=1` opens it, beside the list's own query. */
const PARAM = "order";

interface OrderState {
  isOrderOpened: true;
}
const OPENED: OrderState = { isOrderOpened: true };
const isOpened = (state: unknown) => typeof state === "object" && state !== null && "isOrderOpened" in state;

const canOrder = ({ order_field, permissions }: RecordSource) => order_field !== null && permissions.update;

/** Opens the objects in their order. Nothing where the model has none, or the person may not change it. */
export function OrderButton({ source }: { source: RecordSource }) {
  const { t } = useTranslation();
  const [params, setParams] = useSearchParams();
  if (!canOrder(source)) return null;
  function open(): void {
    const next = new URLSearchParams(params);
    next.set(PARAM, "1");
    setParams(next, { state: OPENED });
  }
  return (
    <Button icon={<OrderedListOutlined {...DECORATIVE} />} onClick={open}>
      {t("ordering.open")}
    </Button>
  );
}

/** The objects in their order, where the address asks for them; wherever its button is. */
export function OrderLayer({ source }: { source: RecordSource }) {
  const [params, setParams] = useSearchParams();
  const stepBack = useStepBack();
  const { state } = useLocation();
  if (!canOrder(source) || params.get(PARAM) !== "1") return null;

  function close(): void {
    if (isOpened(state)) {
      stepBack();
      return;
    }
    const next = new URLSearchParams(params);
    next.delete(PARAM);
    setParams(next, { replace: true });
  }

  return (
    <Suspense fallback={null}>
      <OrderDrawer source={source} onClose={close} />
    </Suspense>
  );
}
