import { Alert, Button } from "antd";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";

interface StaleAlertProps {
  /** Names of the fields that somebody else has changed. */
  fieldNames: readonly string[];
  onLoad: () => void;
}

/** A save that was refused because the record has changed meanwhile: what was typed stays until the person has chosen. */
export function StaleAlert({ fieldNames, onLoad }: StaleAlertProps) {
  const { t, i18n } = useTranslation();
  const alert = useRef<HTMLDivElement>(null);
  // The save that was refused was asked for at the other end of the form.
  useEffect(() => {
    alert.current?.focus();
    alert.current?.scrollIntoView({ block: "center" });
  }, []);
  const list = new Intl.ListFormat(i18n.language, { type: "conjunction" });
  return (
    <div ref={alert} tabIndex={-1} className="form-problems">
      <Alert
        type="warning"
        showIcon
        role="alert"
        message={t("stale.title")}
        description={
          <>
            <p>{t("stale.text")}</p>
            {fieldNames.length > 0 && <p>{t("stale.fields", { fields: list.format(fieldNames) })}</p>}
            <div className="stale-actions">
              <Button onClick={onLoad}>{t("stale.load")}</Button>
            </div>
          </>
        }
      />
    </div>
  );
}
