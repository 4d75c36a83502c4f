import { PointerSensor, type PointerSensorProps } from "@dnd-kit/core";
import { flushSync } from "react-dom";

/** Until a position counts for dnd-kit: the rows are measured, what lies under the dragged one is found, and that is kept. */
const DRAWINGS = 3;

/**
 * Drops a row where the pointer is let go. dnd-kit's own sensor drops it where it was last drawn: on a slow device a quick drag
 * ends before any of it is drawn, and the row would stay where it was.
 */
export class LatestPointerSensor extends PointerSensor {
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
