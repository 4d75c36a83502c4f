import { type RefObject, useEffect, useRef, useState } from "react";
import type { VoicePreferences } from "#contract/accounts/accounts.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import type { Call } from "../call/call.ts";
import { readMicrophoneFault, toCameraText, toFaultText } from "../call/faults.ts";
import type { InRoom } from "../call/room-state.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { lazyPart } from "../parts/lazy-part.tsx";
import type { Notice } from "../parts/status.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import { LeaveGuard, useMediaSession, usePushToTalk, useWakeLock } from "./call-extras.tsx";
import { AudioCard, ConnectionCard } from "./cards.tsx";
import { Announcer, CallNotices } from "./notices.tsx";
import { CameraPreview, Participants, useCamera } from "./participants.tsx";
import type { Measure } from "./people-dialogs.tsx";
import { PersonMenu, useModeration } from "./person-menu.tsx";
import { TextPanel } from "./text-panel.tsx";

interface BarButtonProps {
  icon: IconName;
  text: string;
  isPressed?: boolean;
  isDanger?: boolean;
  isDisabled?: boolean;
  onClick: () => void;
}

function BarButton({ icon, text, isPressed, isDanger, isDisabled, onClick }: BarButtonProps) {
  return (
    <button
      type="button"
      className={isDanger ? "bar-button bar-danger" : "bar-button"}
      aria-pressed={isPressed}
      disabled={isDisabled}
      onClick={onClick}
    >
      <Icon name={icon} />
      <span>{text}</span>
    </button>
  );
}

interface CallBarProps {
  call: Call;
  state: InRoom;
  isPushToTalk: boolean;
  isVideoOn: boolean;
  isSettingsOpen: boolean;
  toggleMute: () => void;
  toggleVideo: () => void;
  toggleSettings: () => void;
}

/** The actions of a call that people use most, at the lower edge. */
function CallBar(props: CallBarProps) {
  const { call, state, isPushToTalk, isVideoOn, isSettingsOpen } = props;
  const { toggleMute, toggleVideo, toggleSettings } = props;
  const t = useVoiceText();
  const { isMuted, isListening, isSilenced } = state.me;
  return (
    <div className="call-bar" role="toolbar" aria-label={t("call:room.bar")}>
      {isPushToTalk && !isListening ? (
        <button
          type="button"
          className={isMuted ? "bar-button bar-push" : "bar-button bar-push bar-on"}
          disabled={isSilenced}
          onPointerDown={(event) => {
            event.currentTarget.setPointerCapture(event.pointerId);
            void call.setPushed(true);
          }}
          onPointerUp={() => void call.setPushed(false)}
          onPointerCancel={() => void call.setPushed(false)}
          onKeyDown={({ code, repeat }) => {
            if ((code === "Space" || code === "Enter") && !repeat) void call.setPushed(true);
          }}
          onKeyUp={() => void call.setPushed(false)}
          onBlur={() => void call.setPushed(false)}
        >
          <Icon name={isMuted ? "microphoneOff" : "microphone"} />
          <span>{t("call:room.pushToTalk")}</span>
        </button>
      ) : (
        <BarButton
          icon={isMuted || isListening || isSilenced ? "microphoneOff" : "microphone"}
          text={t(isMuted || isListening ? "call:room.unmute" : "call:room.mute")}
          isDisabled={isSilenced || state.soundFault !== undefined}
          onClick={toggleMute}
        />
      )}
      <BarButton
        icon={isVideoOn ? "camera" : "cameraOff"}
        text={t(isVideoOn ? "call:room.stopVideo" : "call:room.startVideo")}
        onClick={toggleVideo}
      />
      <BarButton
        icon="settings"
        text={t("call:room.settings")}
        isPressed={isSettingsOpen}
        onClick={toggleSettings}
      />
      <BarButton icon="leave" text={t("call:room.leave")} isDanger onClick={() => call.leave()} />
    </div>
  );
}

interface InCallProps {
  call: Call;
  state: InRoom;
  room: VoiceRoom;
  preferences: VoicePreferences;
  changePreferences: (values: Partial<VoicePreferences>) => void;
  draftOf: RefObject<string>;
  ask: (measure: Measure) => void;
  notify: (notice: Notice) => void;
  setFault: (text: string) => void;
}

/** The room while one is in it: people, one's own sound, text, connection, and the bar. */
export function InCall(props: InCallProps) {
  const { call, state, room, preferences, changePreferences, draftOf, ask, notify, setFault } = props;
  const t = useVoiceText();
  const { socket, session } = useVoiceServices();
  const [isSettingsOpen, setIsSettingsOpen] = useState(false);
  const profile = session.getAuthState()?.profile;
  // As it was at the join: what is changed later is for the next one.
  const [startsCamera] = useState(!preferences.auto_video_off);
  const camera = useCamera(startsCamera, (fault) => setFault(toCameraText(fault, t)));
  const actions = useModeration({ room, call, notify, ask });
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
