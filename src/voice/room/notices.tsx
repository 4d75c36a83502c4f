import { useCallback, useRef, useState } from "react";
import type { Call } from "../call/call.ts";
import type { InRoom } from "../call/room-state.ts";
import { useVoiceText } from "../voice-text.tsx";
import { toFaultText } from "./fault-text.ts";
import { useLevels, useMicrophone } from "./use-room.ts";

interface BannerProps {
  text: string;
  kind?: "warning" | "info";
  action?: { text: string; run: () => void };
}

function Banner({ text, kind = "warning", action }: BannerProps) {
  return (
    <div className={`voice-banner banner-${kind}`}>
      <p>{text}</p>
      {action && (
        <button type="button" className="voice-button" onClick={action.run}>
          {action.text}
        </button>
      )}
    </div>
  );
}

/** Whether the browser holds the sound back: it says so only when it is asked. */
function useSoundBlocked(call: Call): boolean {
  const [isBlocked, setIsBlocked] = useState(false);
  useLevels(
    call,
    useCallback(() => setIsBlocked(call.sound.isBlocked), [call]),
  );
  return isBlocked;
}

/** Longer than a cough. Milliseconds. */
const TALKING_MS = 1000;
const SHOWN_MS = 4000;

/** Somebody who speaks into a muted microphone is told, for as long as they go on and a little more. */
function useTalkingMuted(call: Call, isMuted: boolean): boolean {
  const [isTalking, setIsTalking] = useState(false);
  const since = useRef<number>(undefined);
  const until = useRef(0);
  useLevels(
    call,
    useCallback(() => {
      const now = performance.now();
      if (!isMuted || !call.sound.isSpeaking) since.current = undefined;
      else {
        since.current ??= now;
        if (now - since.current > TALKING_MS) until.current = now + SHOWN_MS;
      }
      setIsTalking(isMuted && now < until.current);
    }, [call, isMuted]),
  );
  return isTalking;
}

/** What a person in a call must know now, each in one plain line with what is being done about it. */
export function CallNotices({ call, state, retry }: { call: Call; state: InRoom; retry: () => void }) {
  const t = useVoiceText();
  const { me, signalling, people, complaint, soundFault } = state;
  const { isSilent, wasLost, isOpen } = useMicrophone(call);
  const isBlocked = useSoundBlocked(call);
  const isTalking = useTalkingMuted(call, me.isMuted && !me.isListening);
  const needsSound = isBlocked && people.length > 0;
  return (
    <div className="voice-banners">
      <div role="alert">
        {needsSound && (
          <Banner
            text={t("call:notice.blocked")}
            action={{ text: t("call:notice.clickToHear"), run: () => void call.resume() }}
          />
        )}
        {signalling === "stalled" && (
          <Banner text={t("call:notice.stalled")} action={{ text: t("call:notice.retryNow"), run: retry }} />
        )}
        {soundFault && <Banner text={`${toFaultText(soundFault, t)} ${t("call:notice.textOnly")}`} />}
        {me.isSilenced && <Banner text={t("call:notice.silenced")} />}
        {complaint !== undefined && (
          <Banner
            text={
              complaint === "unsupported_version"
                ? t("call:fault.version")
                : t("call:notice.complaint", { reason: complaint })
            }
            action={{
              text: t("call:notice.dismiss"),
              run: () => call.store.dispatch({ type: "complaint", text: undefined }),
            }}
          />
        )}
        {wasLost && (
          <Banner
            text={t(isOpen ? "call:notice.lost" : "call:notice.noneLeft")}
            action={{
              text: t("call:notice.dismiss"),
              run: () => call.sound.store.dispatch({ wasLost: false }),
            }}
          />
        )}
      </div>
      <div role="status">
        {signalling === "reconnecting" && <Banner kind="info" text={t("call:notice.reconnecting")} />}
        {isOpen && isSilent && !me.isListening && !me.isMuted && <Banner text={t("call:notice.silent")} />}
        {isTalking && <Banner kind="info" text={t("call:notice.talkingMuted")} />}
      </div>
    </div>
  );
}
