import type { Call } from "../call/call.ts";
import type { InRoom } from "../call/room-state.ts";
import { Icon, type IconName } from "../parts/icons.tsx";
import { useVoiceText } from "../voice-text.tsx";

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
export function CallBar(props: CallBarProps) {
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
