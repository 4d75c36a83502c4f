import { Alert, Button } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import type { Conflict } from "./conflict.tsx";
import { ConflictChoice } from "./conflict-choice.tsx";
import type { Choice } from "./merge-inputs.ts";
import { useUnitName } from "./use-unit-name.ts";

interface StaleAlertProps {
  conflict: Conflict;
  onChoose: (key: string, choice: Choice) => void;
  onSettle: () => void;
  onLoad: () => void;
}

/** The person pressed something: after a refused save, or without a choice, they are brought here. */
function useAttention({ reason, asked }: Conflict) {
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (reason === "noticed" && asked === 0) return;
    const missing = alert.current?.querySelector<HTMLElement>('[data-missing="true"] input');
    (missing ?? alert.current)?.focus({ preventScroll: true });
    alert.current?.scrollIntoView({ block: "start" });
  }, [reason, asked]);
  return alert;
}

/** Fields that somebody else alone changed; both versions go together there. */
function OtherFields({ conflict }: { conflict: Conflict }) {
  const { t, i18n } = useTranslation();
  const nameOf = useUnitName();
  const names = conflict.differences.others.map(({ unit }) => nameOf(unit));
  if (names.length === 0) return null;
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" });
  return <p>{t("stale.others", { fields: list.format(names) })}</p>;
}

/** A newer version of the record: what was typed stays, and where two people changed one field the person chooses. */
export function StaleAlert({ conflict, onChoose, onSettle, onLoad }: StaleAlertProps) {
  const { t } = useTranslation();
  const alert = useAttention(conflict);
  const { reason, differences, choices, asked } = conflict;
  const hasChoices = differences.conflicts.length > 0;
  return (
    <div ref={alert} tabIndex={-1} className="form-problems">
      <Alert
        type={reason === "refused" ? "warning" : "info"}
        showIcon
        role={reason === "refused" ? "alert" : "status"}
        message={t(`stale.${reason}.title`)}
        description={
          <>
            <p>{t(`stale.${reason}.text`)}</p>
            <OtherFields conflict={conflict} />
            {hasChoices && <p>{t("stale.both")}</p>}
            {differences.conflicts.map((difference) => (
              <ConflictChoice
                key={difference.unit.key}
                difference={difference}
                chosen={choices[difference.unit.key]}
                isMissing={asked > 0 && choices[difference.unit.key] === undefined}
                onChoose={(choice) => onChoose(difference.unit.key, choice)}
              />
            ))}
            <div className="form-choices">
              <Button type="primary" onClick={onSettle}>
                {t(reason === "noticed" && hasChoices ? "stale.goOn" : `stale.${reason}.settle`)}
              </Button>
              <Button onClick={onLoad}>{t("stale.load")}</Button>
            </div>
          </>
        }
      />
    </div>
  );
}
