import {
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useTranslation } from "react-i18next";
import type { RecordSource } from "#resources/record-source.ts";
import { LatestPointerSensor } from "./latest-pointer-sensor.ts";
import { OrderRow } from "./order-row.tsx";
import { useAnnouncements } from "./use-announcements.ts";
import { useKeptButton } from "./use-kept-button.ts";
import type { Order } from "./use-order.ts";

/** A press that moves less is a click. */
const DRAG_FROM_PX = 4;

interface OrderListProps {
  model: RecordSource;
  order: Order;
  onDragging: (isDragging: boolean) => void;
}

/** The objects as rows that are dragged by pointer, finger or keyboard, or moved by their buttons. */
export function OrderList({ model, order: { rows, total, move, noteHidden }, onDragging }: OrderListProps) {
  const { t } = useTranslation();
  const { list, keep } = useKeptButton(rows);
  const sensors = useSensors(
    useSensor(LatestPointerSensor, { activationConstraint: { distance: DRAG_FROM_PX } }),
    useSensor(KeyboardSensor, { coordinateGetter: sortableKeyboardCoordinates }),
  );
  const ids = rows.map(({ id }) => id);

  function drop({ active, over }: DragEndEvent): void {
    onDragging(false);
    if (over) move(ids.indexOf(Number(active.id)), ids.indexOf(Number(over.id)));
  }

  return (
    <DndContext
      sensors={sensors}
      collisionDetection={closestCenter}
      accessibility={useAnnouncements(rows, total)}
      onDragStart={() => onDragging(true)}
      onDragEnd={drop}
      onDragCancel={() => onDragging(false)}
    >
      <SortableContext items={ids} strategy={verticalListSortingStrategy}>
        <ol
          ref={list}
          className="order-list"
          aria-label={t("ordering.list", { kind: model.verbose_name_plural })}
        >
          {rows.map((record, index) => (
            <OrderRow
              key={record.id}
              model={model}
              record={record}
              index={index}
              isLast={index === rows.length - 1}
              onHidden={noteHidden}
              onMove={(to, button) => {
                keep(button);
                move(index, to);
              }}
            />
          ))}
        </ol>
      </SortableContext>
    </DndContext>
  );
}
