import { useCallback, useEffect, useState } from "react";
import { toReason } from "../../ui/failure-text.ts";
import { useAccountText } from "../account-area.tsx";

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

const ROWS = [1, 2, 3, 4];

/** Rows of a list that is on its way. */
export function RowsSkeleton({ label }: { label: string }) {
  return (
    <div aria-busy="true">
      <p className="visually-hidden" role="status">
        {label}
      </p>
      {ROWS.map((row) => (
        <div key={row} className="skeleton skeleton-row" aria-hidden="true" />
      ))}
    </div>
  );
}

/** A list that could not be loaded. */
export function RowsFailed({ text, error, onRetry }: { text: string; error: unknown; onRetry: () => void }) {
  const t = useAccountText();
  return (
    <div className="rows-failed">
      <p className="alert" role="alert">
        {[text, toReason(error, t)].filter(Boolean).join(" ")}
      </p>
      <button type="button" className="button-quiet" onClick={onRetry}>
        {t("profile:page.retry")}
      </button>
    </div>
  );
}
