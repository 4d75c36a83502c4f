import { App } from "antd";
import { useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { toErrorText } from "../ui/errors.tsx";

interface PreferenceOptions<T> {
  /** What counts without a choice of this moment. */
  saved: T;
  /** Draws the console as chosen, before it is saved. */
  show: (value: T) => void;
  /** Rejects where it isn't saved. */
  save: (value: T) => Promise<void>;
  /** After a success or a failure: what is saved counts again. */
  settle?: () => void;
}

export type SavePhase = "idle" | "saving" | "saved" | "failed";

/**
 * A preference that counts at once and is saved behind it. Of several choices in a row the last one is sent after the one
 * under way; a failure puts back what was saved and says so.
 */
export function usePreference<T>({ saved, show, save, settle }: PreferenceOptions<T>) {
  const { t } = useTranslation();
  const { notification } = App.useApp();
  const [phase, setPhase] = useState<SavePhase>("idle");
  const turn = useRef(0);
  const line = useRef(Promise.resolve());
  const kept = useRef<{ value: T } | null>(null);

  async function send(mine: number, value: T): Promise<void> {
    if (mine !== turn.current) return;
    try {
      await save(value);
      kept.current = { value };
      if (mine === turn.current) setPhase("saved");
    } catch (error) {
      if (mine !== turn.current) return;
      if (kept.current) show(kept.current.value);
      setPhase("failed");
      notification.error({
        key: "preference",
        role: "alert",
        message: t("settings.notSaved"),
        description: toErrorText(error, t),
      });
    }
    if (mine !== turn.current) return;
    kept.current = null;
    settle?.();
  }

  function choose(value: T): void {
    kept.current ??= { value: saved };
    turn.current += 1;
    const mine = turn.current;
    setPhase("saving");
    show(value);
    line.current = line.current.then(() => send(mine, value));
  }
  return { phase, choose };
}
