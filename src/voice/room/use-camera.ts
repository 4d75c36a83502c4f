import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { readMicrophoneFault } from "../call/faults.ts";
import type { CallFault } from "../call/room-state.ts";

/** One's own camera, on and off; whatever ends the preview turns its light off. `startsItself`: with the screen. */
export function useCamera(
  startsItself: boolean,
  onFault: (fault: CallFault) => void,
): {
  stream: MediaStream | undefined;
  toggle: () => Promise<void>;
  stop: () => void;
} {
  const [stream, setStream] = useState<MediaStream>();

  const isLeft = useRef(false);

  const stop = useCallback(() => setStream(undefined), []);
  useEffect(() => {
    if (!stream) return;
    const tracks = stream.getTracks();
    // Unplugged, or taken back in the browser's own bar.
    for (const track of tracks) track.onended = stop;
    return () => {
      for (const track of tracks) {
        track.onended = null;
        track.stop();
      }
    };
  }, [stream, stop]);

  async function toggle(): Promise<void> {
    if (stream) return stop();
    try {
      const opened = await navigator.mediaDevices.getUserMedia({ video: true });
      // The person has left while the browser asked.
      if (isLeft.current) for (const track of opened.getTracks()) track.stop();
      else setStream(opened);
    } catch (error) {
      onFault(readMicrophoneFault(error));
    }
  }

  const start = useEffectEvent(() => void toggle());
  useEffect(() => {
    isLeft.current = false;
    if (startsItself) start();
    return () => {
      isLeft.current = true;
    };
  }, [startsItself]);
  return { stream, toggle, stop };
}
