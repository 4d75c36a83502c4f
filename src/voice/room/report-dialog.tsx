import { type FormEvent, useId, useState } from "react";
import { VOICE_LIMITS } from "#contract/voice-rooms.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { toFailureText } from "../../ui/failure-text.ts";
import { FieldFrame } from "../../ui/field-frame.tsx";
import { useUnsaved } from "../parts/use-unsaved.ts";
import { useVoiceText } from "../voice-text.tsx";

interface ReportDialogProps {
  name: string;
  /** A line of the room's text that it is about. */
  message: string | undefined;
  /** Rejects where it was not taken: what was typed stays. */
  send: (reason: string) => Promise<void>;
  onClose: () => void;
}

/** Tells the admins of somebody. */
export function ReportDialog({ name, message, send, onClose }: ReportDialogProps) {
  const t = useVoiceText();
  const id = useId();
  const [reason, setReason] = useState("");
  const [fault, setFault] = useState("");
  const [isBusy, setIsBusy] = useState(false);
  const sendHeld = useUnsaved(reason !== "");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!reason.trim() || isBusy) return;
    setIsBusy(true);
    setFault("");
    try {
      await sendHeld(() => send(reason.trim()));
    } catch (error) {
      setIsBusy(false);
      setFault(t("voice:parts.didNotWork", { reason: toFailureText(error, t("voice:parts.error"), t) }));
    }
  }

  return (
    <Dialog title={t("call:person.reportTitle", { name })} onCancel={isBusy ? undefined : onClose}>
      <form onSubmit={submit} className="room-form">
        <p>{t("call:person.reportText", { name })}</p>
        {message !== undefined && (
          <blockquote className="report-line">{t("call:person.reportMessage", { text: message })}</blockquote>
        )}
        <FieldFrame
          id={id}
          label={t("call:person.reportReason")}
          control={
            <textarea
              id={id}
              rows={4}
              required
              maxLength={VOICE_LIMITS.reportMaxChars}
              value={reason}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
            />
          }
        />
        <p className="alert" role="alert">
          {fault}
        </p>
        <div className="dialog-buttons">
          <button type="button" className="voice-button" onClick={onClose} disabled={isBusy}>
            {t("call:person.cancel")}
          </button>
          <button type="submit" className="button" disabled={isBusy || !reason.trim()}>
            {t("call:person.reportSend")}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
