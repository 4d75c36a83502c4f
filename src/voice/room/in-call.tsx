import { type RefObject, useEffect, useRef, useState } from "react";
import type { VoicePreferences } from "#contract/preferences.ts";
import type { VoiceRoom } from "#contract/voice-rooms.ts";
import type { Call } from "../call/call.ts";
import { readMicrophoneFault } from "../call/faults.ts";
import type { InRoom } from "../call/room-state.ts";
import { lazyPart } from "../parts/lazy-part.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices } from "../voice-context.tsx";
import { useVoiceText } from "../voice-text.tsx";
import { Announcer } from "./announcer.tsx";
import { CallBar } from "./call-bar.tsx";
import { useMediaSession, usePushToTalk, useWakeLock } from "./call-extras.tsx";
import { CameraPreview } from "./camera-preview.tsx";
import { AudioCard, ConnectionCard } from "./cards.tsx";
import { toCameraText, toFaultText } from "./fault-text.ts";
import { LeaveGuard } from "./leave-guard.tsx";
import type { Measure } from "./moderation-dialog.tsx";
import { CallNotices } from "./notices.tsx";
import { Participants } from "./participants.tsx";
import { PersonMenu } from "./person-menu.tsx";
import { TextPanel } from "./text-panel.tsx";
import { useCamera } from "./use-camera.ts";
import { useModeration } from "./use-moderation.ts";

interface InCallProps {
  call: Call;
  state: InRoom;
  room: VoiceRoom;
  preferences: VoicePreferences;
  changePreferences: (values: Partial<VoicePreferences>) => void;
  draftOf: RefObject<string>;
  ask: (measure: Measure) => void;
  tell: (notice: Notice) => void;
  setFault: (text: string) => void;
}

/** The room while one is in it: people, one's own sound, text, connection, and the bar. */
export function InCall(props: InCallProps) {
  const { call, state, room, preferences, changePreferences, draftOf, ask, tell, setFault } = props;
  const t = useVoiceText();
  const { socket, session } = useVoiceServices();
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const profile = session.getAuthState()?.profile;
  // As it was at the join: what is changed later is for the next one.
  const [startsCamera] = useState(!preferences.auto_video_off);
  const camera = useCamera(startsCamera, (fault) => setFault(toCameraText(fault, t)));
  const actions = useModeration({ room, call, tell, ask });
  const settings = useRef<HTMLElement>(null);
  // On a phone they stand below everybody's faces.
  useEffect(() => {
    if (!isSettingsOpen) return;
    settings.current?.scrollIntoView({ block: "nearest" });
    settings.current?.querySelector("h2")?.focus({ preventScroll: true });
  }, [isSettingsOpen]);
  useWakeLock();
  useMediaSession(call, state.me.isMuted);
  usePushToTalk(call, preferences.push_to_talk);

  async function toggleMute() {
    try {
      if (state.me.isListening) {
        await call.setListening(false);
        if (!preferences.push_to_talk) await call.setMuted(false);
      } else await call.setMuted(!state.me.isMuted);
    } catch (error) {
      setFault(toFaultText(readMicrophoneFault(error), t));
    }
  }

  return (
    <>
      <Announcer call={call} isPushToTalk={preferences.push_to_talk} />
      <LeaveGuard onLeave={() => call.leave()} />
      <CallNotices call={call} state={state} retry={() => socket.tryNow()} />
      <div className="room-columns">
        <section className="room-people" aria-labelledby="participants">
          <h2 id="participants">{t("call:room.participants")}</h2>
          <Participants
            call={call}
            state={state}
            ownName={session.getAuthState()?.user.display_name ?? ""}
            ownAvatar={profile?.avatar ?? null}
            drawMenu={(person) => (
              <PersonMenu
                call={call}
                person={person}
                canModerate={state.canModerate}
                isMesh={room.engine === "mesh"}
                actions={actions}
              />
            )}
          />
          {camera.stream && <CameraPreview stream={camera.stream} />}
        </section>
        <aside className="room-side">
          {isSettingsOpen && (
            <section ref={settings} className="voice-card" aria-labelledby="settings">
              <h2 id="settings" tabIndex={-1}>
                {t("call:settings.title")}
              </h2>
              <SettingsPanel
                call={call}
                preferences={preferences}
                hasRelay={call.hasRelay}
                isMesh={room.engine === "mesh"}
                change={changePreferences}
                state={state}
              />
            </section>
          )}
          <AudioCard call={call} state={state} startPercent={preferences.sensitivity} />
          <TextPanel
            call={call}
            state={state}
            draftOf={draftOf}
            report={(userId, name, message) => ask({ kind: "report", userId, name, message })}
          />
          <ConnectionCard call={call} state={state} room={room} hasRelay={call.hasRelay} />
        </aside>
      </div>
      <CallBar
        call={call}
        state={state}
        isPushToTalk={preferences.push_to_talk}
        isVideoOn={camera.stream !== undefined}
        isSettingsOpen={isSettingsOpen}
        toggleMute={() => void toggleMute()}
        toggleVideo={() => void camera.toggle()}
        toggleSettings={() => setIsSettingsOpen((isOpen) => !isOpen)}
      />
    </>
  );
}
/** Parts that come with the first click on them. */
export const SettingsPanel = lazyPart(async () => (await import("./settings-panel.tsx")).SettingsPanel);
