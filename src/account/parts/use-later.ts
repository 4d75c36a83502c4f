import { useEffect, useRef } from "react";

/** Does one thing after a while, unless the screen is left or something else takes its place. */
export function useLater(): (task: () => void, ms: number) => void {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);
  return (task, ms) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(task, ms);
  };
}
