import { useCallback, useEffect, useState } from "react";

/** One's own camera, on and off; whatever ends the preview turns its light off. */
export function useCamera(onFault: (reason: string) => void): {
  stream: MediaStream | undefined;
  toggle: () => Promise<void>;
  stop: () => void;
} {
  const [stream, setStream] = useState<MediaStream>();

  const stop = useCallback(() => setStream(undefined), []);
  useEffect(() => {
    if (!stream) return;
    return () => {
      for (const track of stream.getTracks()) track.stop();
    };
  }, [stream]);

  async function toggle(): Promise<void> {
    if (stream) return stop();
    try {
      setStream(await navigator.mediaDevices.getUserMedia({ video: true }));
    } catch (error) {
      onFault((error as Error).message || (error as Error).name);
    }
  }
  return { stream, toggle, stop };
}
