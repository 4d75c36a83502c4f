import { useCallback, useEffect, useRef, useState } from "react";
import { type VoicePreferences, voicePreferences } from "#contract/preferences.ts";
import { useVoiceServices } from "../voice-context.tsx";

/** A slider rests this long before it is saved. */
const REST_MS = 500;
const PATH = "/voice/users/voice-preferences";

/**
 * The person's voice preferences: they act at once and are saved behind. What could not be saved still holds for this call,
 * and `onFault` hears why.
 */
export function usePreferences(
  first: VoicePreferences,
  onFault: (error: unknown) => void,
): [VoicePreferences, (change: Partial<VoicePreferences>) => void] {
  const { http } = useVoiceServices();
  const [preferences, setPreferences] = useState(first);
  const waiting = useRef<Partial<VoicePreferences>>({});
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const save = useCallback(() => {
    clearTimeout(timer.current);
    const body = waiting.current;
    waiting.current = {};
    if (Object.keys(body).length === 0) return;
    http.request(PATH, { method: "PUT", body, schema: voicePreferences }).catch(onFault);
  }, [http, onFault]);

  // What is changed in the last moment is saved too.
  useEffect(() => save, [save]);

  const change = useCallback(
    (values: Partial<VoicePreferences>) => {
      setPreferences((before) => ({ ...before, ...values }));
      waiting.current = { ...waiting.current, ...values };
      clearTimeout(timer.current);
      timer.current = setTimeout(save, REST_MS);
    },
    [save],
  );
  return [preferences, change];
}
