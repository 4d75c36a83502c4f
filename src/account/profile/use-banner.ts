import { useCallback, useEffect, useState } from "react";

/** Specification A section 9. */
const SHOWN_MS = 2_500;

/** A line that comes and goes. */
export function useBanner() {
  const [shown, setShown] = useState<{ text: string } | null>(null);
  useEffect(() => {
    if (!shown) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  return {
    text: shown?.text ?? "",
    // An object of its own each time: the same text begins anew.
    show: useCallback((text: string) => setShown(text ? { text } : null), []),
  };
}
