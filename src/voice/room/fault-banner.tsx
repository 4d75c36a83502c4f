import { useEffect, useRef } from "react";
import { useVoiceText } from "../voice-text.tsx";

/** Something that went wrong, until it is put away. */
export function FaultBanner({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  const t = useVoiceText();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Without the braces React would take the promise that new browsers return for the effect's end, and fail at it.
    button.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div className="voice-banner banner-fault">
      <p>{text}</p>
      <button ref={button} type="button" className="voice-button" onClick={onDismiss}>
        {t("call:notice.dismiss")}
      </button>
    </div>
  );
}
