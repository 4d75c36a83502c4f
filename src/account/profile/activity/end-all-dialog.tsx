import { useState } from "react";
import { Dialog } from "../../../ui/dialog.tsx";
import { FormAlert } from "../../../ui/form-messages.tsx";
import { useAccountText } from "../../account-text.tsx";

interface EndAllDialogProps {
  count: number;
  /** Answers why it failed. */
  endAll: () => Promise<string | undefined>;
  onClose: () => void;
}

/** Names what ends before it does. */
export function EndAllDialog({ count, endAll, onClose }: EndAllDialogProps) {
  const t = useAccountText();
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState("");
  async function confirm() {
    setIsBusy(true);
    const fault = await endAll();
    if (fault === undefined) return;
    setError(fault);
    setIsBusy(false);
  }
  return (
    <Dialog title={t("profile:sessions.everywhereTitle")} onCancel={isBusy ? undefined : onClose}>
      <p>{t("profile:sessions.everywhereText", { count })}</p>
      <FormAlert>{error}</FormAlert>
      <div className="dialog-buttons">
        <button type="button" className="button-quiet" disabled={isBusy} onClick={onClose}>
          {t("profile:sessions.cancel")}
        </button>
        <button type="button" className="button-danger" disabled={isBusy} onClick={() => void confirm()}>
          {t(isBusy ? "profile:sessions.signingOut" : "profile:sessions.everywhereConfirm")}
        </button>
      </div>
    </Dialog>
  );
}
