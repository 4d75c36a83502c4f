import type { Call } from "../call/call.ts";
import type { RoomState } from "../call/room-state.ts";
import { useVoiceText } from "../voice-text.tsx";
import { useMicrophone } from "./use-room.ts";

/** The state of the call as it is, for a report of a fault. It holds no text that anybody wrote. */
export function DebugPanel({ call, state }: { call: Call; state: RoomState }) {
  const t = useVoiceText();
  const microphone = useMicrophone(call);
  const { texts: _private, ...shown } = state.phase === "in" ? state : { ...state, texts: [] };
  return (
    <details className="debug-panel">
      <summary>{t("call:settings.debug")}</summary>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keyboard */}
      <pre tabIndex={0}>{JSON.stringify({ ...shown, microphone }, null, 1)}</pre>
    </details>
  );
}
