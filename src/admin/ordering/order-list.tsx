import {
  type Announcements,
  closestCenter,
  DndContext,
  type DragEndEvent,
  KeyboardSensor,
  PointerSensor,
  type PointerSensorProps,
  type UniqueIdentifier,
  useSensor,
  useSensors,
} from "@dnd-kit/core";
import { SortableContext, sortableKeyboardCoordinates, verticalListSortingStrategy } from "@dnd-kit/sortable";
import { useLayoutEffect, useRef } from "react";
import { flushSync } from "react-dom";
import { useTranslation } from "react-i18next";
import type { ModelRecord } from "#contract/content/models.ts";
import type { RecordSource } from "#resources/record-source.ts";
import { OrderRow } from "./order-row.tsx";
import type { Order } from "./use-order.ts";

/** Until a position counts for dnd-kit: the rows are measured, what lies under the dragged one is found, and that is kept. */
const DRAWINGS = 3;

/**
 * Drops a row where the pointer is let go. dnd-kit's own sensor drops it where it was last drawn: on a slow device a quick drag
 * ends before any of it is drawn, and the row would stay where it was.
 */
class LatestPointerSensor extends PointerSensor {
  constructor(props: PointerSensorProps) {
    let isDragging = false;
    let latest: { x: number; y: number } | undefined;
    // What starts a drag is `onPointerDown`. A second finger has another number.
    const { pointerId: dragging } = props.event as PointerEvent;
    const over = new AbortController();
    const options = { capture: true, signal: over.signal };
    const note = ({ pointerId, clientX: x, clientY: y }: PointerEvent) => {
      if (pointerId === dragging) latest = { x, y };
    };
    for (const type of ["pointermove", "pointerup"] as const) document.addEventListener(type, note, options);
    super({
      ...props,
      onStart(coordinates) {
        isDragging = true;
        props.onStart(coordinates);
      },
      onEnd() {
        over.abort();
        const position = latest;
        if (isDragging && position)
          for (let drawn = 0; drawn < DRAWINGS; drawn++) flushSync(() => props.onMove(position));
        props.onEnd();
      },
      onCancel() {
        over.abort();
        props.onCancel();
      },
    });
  }
}

/** What a screen reader says of a drag. */
function useAnnouncements(rows: readonly ModelRecord[], total: number) {
  const { t, i18n } = useTranslation();
  /** The place that was announced last: at its start a drag is over its own, which must not be said over "is lifted". */
  const announcedOver = useRef<UniqueIdentifier>(null);
  const format = new Intl.NumberFormat(i18n.language);
  const findName = (id: UniqueIdentifier) => rows.find((row) => row.id === id)?.repr ?? "";
  const toPlace = (id: UniqueIdentifier) => ({
    place: format.format(rows.findIndex((row) => row.id === id) + 1),
    total: format.format(total),
  });
  const announcements: Announcements = {
    onDragStart({ active }) {
      announcedOver.current = active.id;
      return t("ordering.drag.start", { name: findName(active.id), ...toPlace(active.id) });
    },
    onDragOver({ active, over }) {
      if (!over || over.id === announcedOver.current) return undefined;
      announcedOver.current = over.id;
      return t("ordering.drag.over", { name: findName(active.id), ...toPlace(over.id) });
    },
    onDragEnd: ({ active, over }) =>
      over ? t("ordering.drag.end", { name: findName(active.id), ...toPlace(over.id) }) : undefined,
    onDragCancel: ({ active }) => t("ordering.drag.cancel", { name: findName(active.id) }),
  };
  return { announcements, screenReaderInstructions: { draggable: t("ordering.drag.instructions") } };
}

/** A row that changes its place in the document loses the focus: the button that moved it gets it back. */
function useKeptButton(rows: readonly ModelRecord[]) {
  const list = useRef<HTMLOListElement>(null);
  const kept = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const isLost = document.activeElement === null || !list.current?.contains(document.activeElement);
    if (rows.length > 0 && isLost && kept.current?.isConnected) kept.current.focus();
    kept.current = null;
  }, [rows]);
  return {
    list,
    keep(button: HTMLButtonElement): void {
      kept.current = button;
    },
  };
}

/** A press that moves less is a click. */
const DRAG_FROM_PX = 4;

interface OrderListProps {
  source: RecordSource;
  order: Order;
  onDragging: (isDragging: boolean) => void;
}

/** The objects as rows that are dragged by pointer, finger or keyboard, or moved by their buttons. */
export function OrderList({ source, order: { rows, total, move, noteHidden }, onDragging }: OrderListProps) {
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
          aria-label={t("ordering.list", { kind: source.verbose_name_plural })}
        >
          {rows.map((record, index) => (
            <OrderRow
              key={record.id}
              source={source}
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
