import { useCallback, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type VoicePreferences, voicePreferences } from "#contract/accounts/accounts.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { toFailureText } from "../../ui/failure-text.ts";
import { SiteLink } from "../../ui/links.tsx";
import type { Call } from "../call/call.ts";
import type { CallDeps } from "../call/call-deps.ts";
import { readMicrophoneFault, toFaultText } from "../call/faults.ts";
import type { RoomState } from "../call/room-state.ts";
import { Icon } from "../parts/icons.tsx";
import { lazyPart } from "../parts/lazy-part.tsx";
import { type Notice, StatusLine, useNotifyEntered } from "../parts/status.tsx";
import { ManagerMenu } from "../room-list/lazy-parts.tsx";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import { FaultBanner, Outside } from "./join-screen.tsx";
import type { Measure } from "./people-dialogs.tsx";
import { useCall, useKeptFocus, useRoomNews, useRoomState } from "./use-room.ts";

const BansDialog = lazyPart(async () => (await import("./people-dialogs.tsx")).BansDialog);
const ModerationDialog = lazyPart(async () => (await import("./people-dialogs.tsx")).ModerationDialog);

/** A slider rests this long before it is saved. */
const REST_MS = 500;
const PATH = "/voice/users/voice-preferences";

/**
 * The person's voice preferences: they act at once and are saved behind. What could not be saved still holds for this call,
 * and `onFault` gets the reason.
 */
function usePreferences(
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

/** What nobody sees before the join: it comes while the person checks their sound. */
const InCall = lazyPart(async () => (await import("./in-call.tsx")).InCall);

interface RoomScreenProps {
  room: VoiceRoom;
  /** The largest size that a room of this site can have; undefined: nobody says. */
  maxSeats: number | undefined;
  preferences: VoicePreferences;
  blocked: readonly string[];
  onRoom: (room: VoiceRoom) => void;
  /** It was deleted while one stood before it. */
  onGone: () => void;
  /** Tests bring their own. */
  createCall?: (deps: CallDeps) => Call;
}

/** One room: the sound check before, the call, and what came of it (specification B section 2). */
export function RoomScreen({
  room: first,
  maxSeats,
  preferences: saved,
  blocked,
  onRoom,
  onGone: onRoomGone,
  createCall,
}: RoomScreenProps) {
  const t = useVoiceText();
  const navigate = useNavigate();
  const [notice, setNotice] = useState<Notice>();
  const [fault, setFault] = useState("");
  const [areBansOpen, setAreBansOpen] = useState(false);
  const [measure, setMeasure] = useState<Measure>();
  const draftOf = useRef("");
  const page = useRef<HTMLDivElement>(null);
  const onGone = useCallback(() => setNotice(undefined), []);

  const onSaveFault = useCallback(
    (error: unknown) => {
      const reason = toFailureText(error, t("voice:parts.error"), t);
      setNotice({ kind: "alert", text: t("call:notice.settingFailed", { reason }) });
    },
    [t],
  );
  const [preferences, changePreferences] = usePreferences(saved, onSaveFault);
  const call = useCall({ room: first, preferences, blocked, ...(createCall && { createCall }) });
  const state = useRoomState(call);
  const room = state.phase === "in" ? (state.room ?? first) : first;
  const isIn = state.phase === "in";
  const isConnected = state.phase === "in" && state.signalling === "connected";
  const onEntered = useNotifyEntered(setNotice);
  useRoomNews(first, !isIn, { onRoom, onGone: onRoomGone, onEntered });

  useEffect(() => {
    call
      .changePreferences(preferences)
      .catch((error: unknown) => setFault(toFaultText(readMicrophoneFault(error), t)));
  }, [call, preferences, t]);

  // There when the call is.
  useEffect(() => InCall.preload(), []);
  useTitleFocus(state.phase);
  useKeptFocus(page);

  const link = `${window.location.origin}/rooms/${room.id}`;

  async function invite() {
    try {
      await navigator.clipboard.writeText(link);
      setNotice({ kind: "status", text: t("call:room.copied") });
    } catch {
      // Not allowed, or no https: then the person copies it themselves.
      setFault(t("call:room.copyFailed", { link }));
    }
  }

  async function share() {
    if (!navigator.share) return invite();
    try {
      await navigator.share({
        title: room.name,
        text: t("call:room.shareText", { name: room.name }),
        url: link,
      });
    } catch (error) {
      // The person has put the sheet away.
      if ((error as Error).name !== "AbortError") await invite();
    }
  }

  return (
    <div ref={page} className={isIn ? "room-page room-in" : "room-page"}>
      <header className="room-header">
        <div className="room-title">
          <h1 id="room-title" tabIndex={-1}>
            {room.name || t("call:room.title")}
          </h1>
          <p className="room-id">{t("call:room.id", { id: room.id })}</p>
        </div>
        <div className="room-state">
          <span className={isConnected ? "badge badge-live" : "badge"}>
            {t(isConnected ? "call:room.connected" : "call:room.disconnected")}
          </span>
          {isConnected && (
            <span className="badge">{t("call:room.online", { count: state.people.length + 1 })}</span>
          )}
        </div>
        <div className="room-actions">
          <button type="button" className="voice-button" onClick={() => void invite()}>
            <Icon name="invite" />
            {t("call:room.invite")}
          </button>
          <button type="button" className="voice-button" onClick={() => void share()}>
            <Icon name="share" />
            {t("call:room.share")}
          </button>
          <ManagerMenu
            room={room}
            maxSeats={maxSeats}
            onChanged={onRoom}
            onDeleted={() => navigate("/rooms")}
            notify={setNotice}
            showBans={() => setAreBansOpen(true)}
          />
          <SiteLink to="/rooms" className="voice-button">
            {t("call:room.back")}
          </SiteLink>
        </div>
      </header>
      <div role="alert">{fault && <FaultBanner text={fault} onDismiss={() => setFault("")} />}</div>
      {isIn ? (
        <InCall
          call={call}
          state={state}
          room={room}
          preferences={preferences}
          changePreferences={changePreferences}
          draftOf={draftOf}
          ask={setMeasure}
          notify={setNotice}
          setFault={setFault}
        />
      ) : (
        <Outside call={call} room={room} state={state} startPercent={preferences.sensitivity} />
      )}
      <StatusLine notice={notice} onGone={onGone} />
      {areBansOpen && <BansDialog room={room} onClose={() => setAreBansOpen(false)} />}
      {measure && (
        <ModerationDialog
          measure={measure}
          room={room}
          call={call}
          notify={setNotice}
          onClose={() => setMeasure(undefined)}
        />
      )}
    </div>
  );
}

/** The focus would be lost with the button that was pressed: what follows begins with the room's name. */
function useTitleFocus(phase: RoomState["phase"]): void {
  const before = useRef(phase);
  useEffect(() => {
    const wasIn = before.current === "in";
    const changed = wasIn !== (phase === "in");
    before.current = phase;
    if (changed) document.getElementById("room-title")?.focus({ preventScroll: true });
  }, [phase]);
}
