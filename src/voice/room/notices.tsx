import { useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import type { Call } from "../call/call.ts";
import { toFaultText } from "../call/faults.ts";
import type { InRoom, LinkPhase, Person, RoomState } from "../call/room-state.ts";
import { useVoiceText, type VoiceText } from "../voice-context.tsx";
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

/** Somebody who speaks into a muted microphone is shown a notice, for as long as they go on and a little more. */
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

const byUser = (people: readonly Person[]) => new Map(people.map((person) => [person.user_id, person]));

/** One by name, several as a number. */
function sayOf(
  what: "joined" | "left" | "lost" | "back" | "unreachable",
  people: readonly Person[],
  t: VoiceText,
): string[] {
  const [first] = people;
  if (!first) return [];
  return people.length === 1
    ? [t(`call:say.${what}`, { name: first.display_name })]
    : [t(`call:say.${what}Many`, { count: people.length })];
}

function announceComings(before: InRoom, now: InRoom, { t, mutes, away }: Announcing): string[] {
  const [known, present] = [byUser(before.people), byUser(now.people)];
  const came = now.people.filter(({ user_id }) => !known.has(user_id));
  // Nothing was said yet of who comes.
  for (const { user_id } of came) {
    mutes.delete(user_id);
    away.delete(user_id);
  }
  const went = before.people.filter(({ user_id }) => !present.has(user_id));
  return [...sayOf("joined", came, t), ...sayOf("left", went, t)];
}

/** A lost link may be made anew on its way back: who was said to be away is said to be back, whatever came between. */
function announceLinks(before: InRoom, now: InRoom, { t, away }: Announcing): string[] {
  const known = byUser(before.people);
  const become = (phase: LinkPhase) =>
    now.people.filter(({ user_id, link }) => link === phase && known.get(user_id)?.link !== phase);
  const lost = become("lost").filter(({ user_id }) => !away.has(user_id));
  const unreachable = become("unreachable");
  const back = become("connected").filter(({ user_id }) => away.delete(user_id));
  for (const { user_id } of [...lost, ...unreachable]) away.add(user_id);
  return [...sayOf("lost", lost, t), ...sayOf("back", back, t), ...sayOf("unreachable", unreachable, t)];
}

/** After a person was read out as muted, or as not muted any more, they are not again for so long: else one person could keep a screen reader talking. */
const MUTE_EVERY_MS = 10_000;

function announceMutes(before: InRoom, now: InRoom, { t, mutes, nowMs }: Announcing): string[] {
  const known = byUser(before.people);
  const changed = now.people.filter(({ user_id, is_muted }) => {
    const former = known.get(user_id);
    const said = mutes.get(user_id);
    // What is held back is compared with what was said last, so that the end of it is heard.
    const saidIsMuted = said?.isMuted ?? former?.is_muted;
    return former && saidIsMuted !== is_muted && nowMs - (said?.atMs ?? -Infinity) >= MUTE_EVERY_MS;
  });
  for (const { user_id, is_muted } of changed) mutes.set(user_id, { isMuted: is_muted, atMs: nowMs });
  // Many at once are a rule of the room, or a flood: they are seen, not read out.
  if (changed.length > 2) return [];
  return changed.map(({ is_muted, display_name }) =>
    t(is_muted ? "call:say.muted" : "call:say.unmuted", { name: display_name }),
  );
}

function announceOwn(before: InRoom, now: InRoom, { t, isPushToTalk }: Announcing): string[] {
  const said: string[] = [];
  // A person who holds a key to speak knows it, and would be talked over.
  if (before.me.isMuted !== now.me.isMuted && !isPushToTalk)
    said.push(t(now.me.isMuted ? "call:say.youMuted" : "call:say.youUnmuted"));
  if (before.signalling === "connected" && now.signalling !== "connected")
    said.push(t("call:say.reconnecting"));
  if (before.signalling !== "connected" && now.signalling === "connected")
    said.push(t("call:say.reconnected"));
  return said;
}

/** What was said, by the person's number; kept from one announcement to the next. */
interface Said {
  mutes: Map<string, { isMuted: boolean; atMs: number }>;
  /** Whose link was said to be lost, or not to be made. */
  away: Set<string>;
}

interface Announcing extends Said {
  t: VoiceText;
  isPushToTalk: boolean;
  nowMs: number;
}

/** What a screen reader says between two states: comings, mutes and connections. What somebody says is heard anyway. */
export function announce(before: RoomState, now: RoomState, announcing: Announcing): string[] {
  // How a call ended stands in an alert of the screen.
  if (now.phase !== "in" || before.phase !== "in") return [];
  return [
    ...announceComings(before, now, announcing),
    ...announceMutes(before, now, announcing),
    ...announceLinks(before, now, announcing),
    ...announceOwn(before, now, announcing),
  ];
}

/** In how many milliseconds something is to be said that is held back; undefined: nothing is. */
export function findHeldBack(now: RoomState, { mutes }: Said, nowMs: number): number | undefined {
  if (now.phase !== "in") return undefined;
  const rests = now.people.flatMap(({ user_id, is_muted }) => {
    const said = mutes.get(user_id);
    return said && said.isMuted !== is_muted ? [said.atMs + MUTE_EVERY_MS - nowMs] : [];
  });
  return rests.length > 0 ? Math.max(0, Math.min(...rests)) : undefined;
}

/** What comes within so long is said as one, so that a room that fills up doesn't flood. */
const GATHER_MS = 1000;

/** Announces to screen readers who is there, and then what changes. Drawn while one is in the room. */
export function Announcer({ call, isPushToTalk }: { call: Call; isPushToTalk: boolean }) {
  const t = useVoiceText();
  const [text, setText] = useState("");
  const said = useRef(call.store.getState());
  const kept = useRef<Said>({ mutes: new Map(), away: new Set() });

  /** The roster follows the join: who is in it then didn't just come. */
  const greet = useEffectEvent(() => {
    const now = call.store.getState();
    said.current = now;
    if (now.phase !== "in") return;
    const { length } = now.people;
    setText(length === 0 ? t("call:say.inRoomAlone") : t("call:say.inRoom", { count: length }));
  });

  /** @returns in how many milliseconds more is to be said that is held back now. */
  const speak = useEffectEvent((): number | undefined => {
    const now = call.store.getState();
    const nowMs = performance.now();
    const lines = announce(said.current, now, { ...kept.current, t, isPushToTalk, nowMs });
    said.current = now;
    if (lines.length > 0) setText(lines.join(". "));
    return findHeldBack(now, kept.current, nowMs);
  });

  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let heldBack: ReturnType<typeof setTimeout> | undefined;
    const run = () => {
      timer = undefined;
      const restMs = speak();
      clearTimeout(heldBack);
      if (restMs !== undefined) heldBack = setTimeout(run, restMs);
    };
    timer = setTimeout(() => {
      timer = undefined;
      greet();
    }, GATHER_MS);
    const stop = call.store.subscribe(() => {
      timer ??= setTimeout(run, GATHER_MS);
    });
    return () => {
      clearTimeout(timer);
      clearTimeout(heldBack);
      stop();
    };
  }, [call]);

  return (
    <p className="visually-hidden" role="status">
      {text}
    </p>
  );
}
