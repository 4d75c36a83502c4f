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
    const over = new AbortController();
    const options = { capture: true, signal: over.signal };
    for (const type of ["pointermove", "pointerup"] as const)
      document.addEventListener(type, ({ clientX: x, clientY: y }) => (latest = { x, y }), options);
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
