import { useCallback, useRef } from "react";

/** Work that a second click doesn't begin again while it is under way: buttons show so only with their next drawing. */
export function useOneAtATime(work: () => Promise<void>): () => void {
  const isUnderWay = useRef(false);
  return useCallback(() => {
    if (isUnderWay.current) return;
    isUnderWay.current = true;
    void work().finally(() => {
      isUnderWay.current = false;
    });
  }, [work]);
}
