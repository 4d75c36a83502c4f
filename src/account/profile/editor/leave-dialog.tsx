import { Dialog } from "../../../ui/dialog.tsx";
import { useAccountText } from "../../account-text.tsx";

/** Asks before unsaved edits are lost. */
export function LeaveDialog({ onStay, onLeave }: { onStay: () => void; onLeave: () => void }) {
  const t = useAccountText();
  return (
    <Dialog title={t("profile:leave.title")} onCancel={onStay}>
      <p>{t("profile:leave.text")}</p>
      <div className="dialog-buttons">
        <button type="button" className="button-danger" onClick={onLeave}>
          {t("profile:leave.discard")}
        </button>
        <button type="button" className="button" onClick={onStay}>
          {t("profile:leave.stay")}
        </button>
      </div>
    </Dialog>
  );
}
