import { useEffect, useRef } from "react";
import { toShownName } from "#contract/voice/people.ts";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import { SiteLink } from "../../ui/links.tsx";
import type { Call } from "../call/call.ts";
import { toFaultText } from "../call/faults.ts";
import type { RoomState } from "../call/room-state.ts";
import { useVoiceServices, useVoiceText } from "../voice-context.tsx";
import { SoundCheck } from "./sound-check.tsx";

/** Something that went wrong, until it is put away. */
export function FaultBanner({ text, onDismiss }: { text: string; onDismiss: () => void }) {
  const t = useVoiceText();
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    // Without the braces React would take the promise that new browsers return for the effect's end, and fail at it.
    button.current?.scrollIntoView({ block: "nearest" });
  }, []);
  return (
    <div className="voice-banner banner-fault">
      <p>{text}</p>
      <button ref={button} type="button" className="voice-button" onClick={onDismiss}>
        {t("call:notice.dismiss")}
      </button>
    </div>
  );
}

/** How a call ended, as texts. */
const ENDINGS = {
  left: "call:over.left",
  replaced: "call:over.replaced",
  removed: "call:over.removed",
  banned: "call:over.banned",
  room_closed: "call:over.roomClosed",
} as const;
export interface OutsideProps {
  call: Call;
  room: VoiceRoom;
  state: Exclude<RoomState, { phase: "in" }>;
  startPercent: number;
}

/** Before the call, and behind it. */
export function Outside({ call, room, state, startPercent }: OutsideProps) {
  const t = useVoiceText();
  const fault = state.phase === "outside" ? state.fault : undefined;
  const mayJoin = room.is_active && !(state.phase === "over" && state.ending === "banned");
  return (
    <div className="room-outside">
      <section className="voice-card join-card">
        <div role="alert">
          {fault && (
            <FaultBanner
              text={toFaultText(fault, t)}
              onDismiss={() => call.store.dispatch({ type: "fault_seen" })}
            />
          )}
          {state.phase === "over" && state.ending !== "left" && (
            <p className="alert">{t(ENDINGS[state.ending])}</p>
          )}
        </div>
        {state.phase === "over" && state.ending === "left" && (
          <p role="status">{t(state.isUnannounced ? "call:over.leaveFailed" : "call:over.left")}</p>
        )}
        {room.description && <p className="join-text">{room.description}</p>}
        {!room.is_active && (
          <>
            <h2>{t("call:room.closedTitle")}</h2>
            <p>{t("call:room.closedText")}</p>
          </>
        )}
        {state.phase !== "over" && room.is_active && (
          <p>{t("voice:rooms.peopleText", { count: room.participant_count, max: room.max_participants })}</p>
        )}
        {mayJoin && <JoinButtons call={call} state={state} />}
        {mayJoin && (
          <p className="field-note" id="listen-hint">
            {t("call:room.listen")}: {t("call:room.listenHint")}
          </p>
        )}
        {mayJoin && <ShownName />}
        {state.phase !== "over" && room.participant_count === 0 && (
          <p className="field-note">{t("call:room.nobody")}</p>
        )}
      </section>
      {mayJoin && (
        <SoundCheck
          call={call}
          startPercent={startPercent}
          opensItself={state.phase === "outside" && !fault}
        />
      )}
    </div>
  );
}

/** What the others will call the person: their own choice, so that nobody is surprised in the room. */
function ShownName() {
  const t = useVoiceText();
  const user = useVoiceServices().session.getAuthState()?.user;
  if (!user) return null;
  return (
    <p className="field-note">
      {t("call:room.shownAs", { name: toShownName({ ...user.profile, id: user.id }) })}{" "}
      <SiteLink to="/profile?tab=settings">{t("call:room.changeName")}</SiteLink>
    </p>
  );
}

/** Join, or listen; while the browser asks for the microphone, who changes their mind can. */
function JoinButtons({ call, state }: Pick<OutsideProps, "call" | "state">) {
  const t = useVoiceText();
  const isJoining = state.phase === "joining";
  const isAsking = state.phase === "joining" && state.step === "microphone";
  const isReplaced = state.phase === "over" && state.ending === "replaced";
  const text = isReplaced ? "call:over.continueHere" : "call:room.join";
  return (
    <>
      <div className="join-buttons">
        <button
          type="button"
          className="button"
          disabled={isJoining}
          onClick={() => void call.join({ isListening: false })}
        >
          {t(isJoining ? "call:room.connecting" : text)}
        </button>
        {isJoining && (
          <button type="button" className="voice-button" onClick={() => call.leave()}>
            {t("call:person.cancel")}
          </button>
        )}
        {(!isJoining || isAsking) && (
          <button
            type="button"
            className="voice-button"
            aria-describedby="listen-hint"
            onClick={() => {
              call.leave();
              void call.join({ isListening: true });
            }}
          >
            {t("call:room.listen")}
          </button>
        )}
      </div>
      <p role="status">{isAsking && t("call:check.asking")}</p>
    </>
  );
}
