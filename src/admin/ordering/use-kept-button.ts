import { useLayoutEffect, useRef } from "react";
import type { ModelRecord } from "#contract/models.ts";

/** A row that changes its place in the document loses the focus: the button that moved it gets it back. */
export function useKeptButton(rows: readonly ModelRecord[]) {
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
