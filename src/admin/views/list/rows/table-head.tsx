import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

export interface PageBoxProps {
  state: "none" | "some" | "all";
  onChange: (isChosen: boolean) => void;
}

/** Selects the rows of this page; half ticked when some of them are selected. */
export function PageBox({ state, onChange }: PageBoxProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLInputElement>(null);
  // The DOM alone knows this state; HTML has no attribute for it.
  useEffect(() => {
    if (box.current) box.current.indeterminate = state === "some";
  }, [state]);
  return (
    <label>
      <input
        ref={box}
        type="checkbox"
        aria-label={t("list.selectPage")}
        checked={state === "all"}
        onChange={({ target }) => onChange(target.checked)}
      />
    </label>
  );
}
