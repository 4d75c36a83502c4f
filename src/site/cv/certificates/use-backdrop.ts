import { type MouseEvent, type PointerEvent, useRef } from "react";

/** Handlers for a dialog: a click beside it closes it; one that began inside, to select or to swipe, does not. */
export function useBackdrop(onClose: () => void) {
  const isFromInside = useRef(false);
  return {
    onPointerDown: ({ target, currentTarget }: PointerEvent) => {
      isFromInside.current = target !== currentTarget;
    },
    onClick: ({ target, currentTarget }: MouseEvent) => {
      if (target === currentTarget && !isFromInside.current) onClose();
      isFromInside.current = false;
    },
  };
}
