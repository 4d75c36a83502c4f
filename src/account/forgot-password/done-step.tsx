import { useEffect, useEffectEvent, useRef } from "react";
import { useAccountText } from "../account-text.tsx";

/** Long enough to read two sentences; the button is for who has. */
const SHOWN_MS = 4000;

/** The new password is set. Goes on by itself. */
export function DoneStep({ onGoOn }: { onGoOn: () => void }) {
  const t = useAccountText();
  const statusRef = useRef<HTMLParagraphElement>(null);
  const goOn = useEffectEvent(onGoOn);
  useEffect(() => {
    statusRef.current?.focus();
    const timer = setTimeout(() => goOn(), SHOWN_MS);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className="account-form">
      <p className="account-success" ref={statusRef} tabIndex={-1} role="status">
        {t("account:forgot.done")}
      </p>
      <button type="button" className="button" onClick={onGoOn}>
        {t("account:forgot.goOn")}
      </button>
    </div>
  );
}
