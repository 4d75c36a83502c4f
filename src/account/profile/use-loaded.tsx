import { useCallback, useEffect, useState } from "react";

export type Loaded<T> =
  | { state: "loading" }
  | { state: "failed"; error: unknown }
  | { state: "ready"; value: T };

/** Something that the server is asked for when a part of the screen appears. `load` must stay the same function. */
export function useLoaded<T>(load: () => Promise<T>) {
  const [loaded, setLoaded] = useState<Loaded<T>>({ state: "loading" });
  const [round, setRound] = useState(0);

  // biome-ignore lint/correctness/useExhaustiveDependencies: another round asks again
  useEffect(() => {
    let isLeft = false;
    load().then(
      (value) => isLeft || setLoaded({ state: "ready", value }),
      (error: unknown) => {
        console.warn("A part of the profile could not be loaded.", error);
        if (!isLeft) setLoaded({ state: "failed", error });
      },
    );
    return () => {
      isLeft = true;
    };
  }, [load, round]);

  return {
    loaded,
    change: useCallback(
      (to: (value: T) => T) =>
        setLoaded((now) => (now.state === "ready" ? { state: "ready", value: to(now.value) } : now)),
      [],
    ),
    retry() {
      setLoaded({ state: "loading" });
      setRound((count) => count + 1);
    },
  };
}
