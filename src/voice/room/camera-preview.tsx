import { useEffect, useRef } from "react";
import { useVoiceText } from "../voice-text.tsx";

/** One's own camera, for oneself alone (spec/decisions.md). */
export function CameraPreview({ stream }: { stream: MediaStream }) {
  const t = useVoiceText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <figure className="camera-preview">
      <video ref={video} autoPlay muted playsInline aria-label={t("call:room.videoTitle")} />
      <figcaption className="field-note">{t("call:room.videoNote")}</figcaption>
    </figure>
  );
}
