import { useEffect, useState } from "react";
import { HttpError } from "#providers/http/http.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";

interface ConfirmDialogProps {
  title: string;
  text: string;
  /** What the button says, before and while it works. */
  action: string;
  busy: string;
  /** Rejects where it did not work: the dialog stays and says so. */
  run: () => Promise<void>;
  onClose: () => void;
}

/** Asks before something that can't be taken back, and does it. */
export function ConfirmDialog({ title, text, action, busy, run, onClose }: ConfirmDialogProps) {
  const t = useVoiceText();
  const [isBusy, setIsBusy] = useState(false);
  const [fault, setFault] = useState("");

  async function confirm() {
    setIsBusy(true);
    setFault("");
    try {
      await run();
      onClose();
    } catch (error) {
      setIsBusy(false);
      setFault(t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }));
    }
  }

  return (
    <Dialog title={title} onCancel={isBusy ? undefined : onClose}>
      <p>{text}</p>
      <p className="alert" role="alert">
        {fault}
      </p>
      <div className="dialog-buttons">
        <button type="button" className="voice-button" onClick={onClose} disabled={isBusy}>
          {t("voice:rooms.cancel")}
        </button>
        <button type="button" className="button-danger" onClick={() => void confirm()} disabled={isBusy}>
          {isBusy ? busy : action}
        </button>
      </div>
    </Dialog>
  );
}

/**
 * What is typed outlives the end of the session: while `isUnsaved` the screen stays, and what saves it is sent once more when the
 * person has signed in again. @returns how to send it; it rejects as the call does.
 */
export function useUnsaved(isUnsaved: boolean): <T>(save: () => Promise<T>) => Promise<T> {
  const { hold, signInAgain } = useVoiceServices();
  useEffect(() => (isUnsaved ? hold() : undefined), [isUnsaved, hold]);
  return async (save) => {
    try {
      return await save();
    } catch (error) {
      if (error instanceof HttpError && error.status === 401 && (await signInAgain())) return save();
      throw error;
    }
  };
}
