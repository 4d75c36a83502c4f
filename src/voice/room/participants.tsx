import { type ReactNode, useCallback, useEffect, useEffectEvent, useRef, useState } from "react";
import { usePage } from "../../ui/page-context.tsx";
import type { Call } from "../call/call.ts";
import { readMicrophoneFault } from "../call/faults.ts";
import type { CallFault, InRoom, LinkQuality, Person } from "../call/room-state.ts";
import { useOwnPerson, useVoiceText, type VoiceText } from "../voice-context.tsx";
import { setLevel, useLevels, useMicrophone } from "./use-room.ts";

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

/** One's own camera, for oneself alone (spec/decisions.md). */
export function CameraPreview({ stream }: { stream: MediaStream }) {
  const t = useVoiceText();
  const video = useRef<HTMLVideoElement>(null);
  useEffect(() => {
    if (video.current) video.current.srcObject = stream;
  }, [stream]);
  return (
    <figure className="camera-preview">
      <video ref={video} autoPlay muted playsInline aria-label={t("call:room.videoTitle")} />
      <figcaption className="field-note">{t("call:room.videoNote")}</figcaption>
    </figure>
  );
}

/** Above so many people faces give way to a list. */
const MAX_FACES = 12;
/** Per cent. */
const RING_STEP = 10;

function toInitials(name: string, lang: string): string {
  const words = name.trim().split(/\s+/);
  return [words[0], words.length > 1 ? words.at(-1) : undefined]
    .map((word) => [...(word ?? "")][0]?.toLocaleUpperCase(lang) ?? "")
    .join("");
}

interface FaceProps {
  id: string;
  name: string;
  avatar: string | null;
  isSpeaking: boolean;
  isDimmed: boolean;
  tags: readonly { text: string; kind?: string }[];
  /** Above the name, in words: what is wrong, and what is done about it. */
  trouble?: ReactNode;
  menu?: ReactNode;
}

function Face({ id, name, avatar, isSpeaking, isDimmed, tags, trouble, menu }: FaceProps) {
  const { lang } = usePage();
  const classes = ["face", isSpeaking && "face-speaking", isDimmed && "face-dimmed"]
    .filter(Boolean)
    .join(" ");
  return (
    <li className={classes} data-person={id}>
      <span className="face-picture" aria-hidden="true">
        {avatar ? <img src={avatar} alt="" /> : toInitials(name, lang)}
      </span>
      <span className="face-name">{name}</span>
      <span className="face-tags">
        {tags.map(({ text, kind }) => (
          <span key={text} className={kind ? `tag tag-${kind}` : "tag"}>
            {text}
          </span>
        ))}
      </span>
      {trouble && <span className="face-trouble">{trouble}</span>}
      {menu}
    </li>
  );
}

function toTags(person: Person, call: Call, t: VoiceText): FaceProps["tags"] {
  const isMutedForMe = call.isMutedForMe(person.user_id);
  const tags: { text: string; kind?: string }[] = [];
  if (person.is_silenced) tags.push({ text: t("call:room.silenced"), kind: "muted" });
  else if (person.is_muted) tags.push({ text: t("call:room.muted"), kind: "muted" });
  else if (person.is_speaking) tags.push({ text: t("call:room.speaking"), kind: "speaking" });
  else tags.push({ text: t("call:room.listening") });
  if (!person.devices.microphone) tags.push({ text: t("call:room.noMicrophone") });
  if (call.isBlocked(person.user_id)) tags.push({ text: t("call:person.blocked"), kind: "muted" });
  else if (isMutedForMe) tags.push({ text: t("call:person.mutedForMe"), kind: "muted" });
  return tags;
}

/** Bounds of what people notice in speech: loss in per cent, delay in milliseconds. */
function rate({ lossPercent, roundTripMs = 0 }: LinkQuality): "good" | "fair" | "poor" {
  if (lossPercent > 8 || roundTripMs > 400) return "poor";
  return lossPercent > 2 || roundTripMs > 200 ? "fair" : "good";
}

function Trouble({ person, call }: { person: Person; call: Call }) {
  const t = useVoiceText();
  const name = person.display_name;
  if (call.isBlocked(person.user_id)) return null;
  switch (person.link) {
    case "connecting":
      return <>{t("call:link.connecting")}</>;
    case "lost":
      return <span className="trouble">{t("call:link.lost")}</span>;
    case "unreachable":
      return (
        <span className="trouble">
          {t("call:link.unreachable", { name })}{" "}
          <button
            type="button"
            className="link-button"
            aria-label={t("call:link.retryFor", { name })}
            onClick={() => call.retry(person.user_id)}
          >
            {t("call:link.retry")}
          </button>
        </span>
      );
    case "connected":
      return person.quality ? <Quality quality={person.quality} /> : null;
    case "none":
      return <>{t("call:link.notConnected")}</>;
  }
}

function Quality({ quality }: { quality: LinkQuality }) {
  const t = useVoiceText();
  const { lang } = usePage();
  const grade = rate(quality);
  const number = new Intl.NumberFormat(lang, { maximumFractionDigits: 1 });
  const toMs = (value: number | undefined) =>
    value === undefined ? t("call:link.none") : `${number.format(value)} ms`;
  const details = t("call:link.details", {
    first: toMs(quality.firstAudioMs),
    loss: new Intl.NumberFormat(lang, { style: "percent", maximumFractionDigits: 1 }).format(
      quality.lossPercent / 100,
    ),
    delay: toMs(quality.roundTripMs),
  });
  return (
    <details className="quality">
      <summary className={`quality-grade quality-${grade}`}>
        <span className="quality-bars" aria-hidden="true" />
        {t(`call:link.${grade}`)}
      </summary>
      {details}
    </details>
  );
}

interface ParticipantsProps {
  call: Call;
  state: InRoom;
  ownAvatar: string | null;
  ownName: string;
  drawMenu: (person: Person) => ReactNode;
}

/** Everybody in the room: faces up to twelve, then a list. The ring follows the level without React. */
export function Participants({ call, state, ownAvatar, ownName, drawMenu }: ParticipantsProps) {
  const t = useVoiceText();
  const own = useOwnPerson();
  const list = useRef<HTMLUListElement>(null);
  const draw = useCallback((levels: ReadonlyMap<string, number>) => {
    for (const face of list.current?.children ?? []) {
      if (!(face instanceof HTMLElement)) continue;
      const id = face.dataset.person ?? "";
      // Steps that the eye can tell apart; only a speaker's ring shows it.
      const level = face.classList.contains("face-speaking") ? (levels.get(id) ?? 0) : 0;
      setLevel(face, Math.round(level / RING_STEP) * RING_STEP);
    }
  }, []);
  useLevels(call, draw);
  const { isOpen } = useMicrophone(call);
  const { me, people } = state;
  const ownTags: { text: string; kind?: string }[] = [{ text: t("call:room.you"), kind: "you" }];
  if (me.isSilenced) ownTags.push({ text: t("call:room.silenced"), kind: "muted" });
  else if (me.isListening || !isOpen) ownTags.push({ text: t("call:room.noMicrophone") });
  else if (me.isMuted) ownTags.push({ text: t("call:room.muted"), kind: "muted" });
  else if (me.isSpeaking) ownTags.push({ text: t("call:room.speaking"), kind: "speaking" });
  else ownTags.push({ text: t("call:room.listening") });
  return (
    <ul ref={list} className={people.length + 1 > MAX_FACES ? "faces faces-list" : "faces"}>
      <Face
        id="own"
        name={ownName || own.name}
        avatar={ownAvatar}
        isSpeaking={me.isSpeaking}
        isDimmed={false}
        tags={ownTags}
      />
      {people.map((person) => (
        <Face
          key={person.user_id}
          id={person.user_id}
          name={person.display_name}
          avatar={person.avatar}
          isSpeaking={person.is_speaking && !person.is_muted}
          isDimmed={person.link !== "connected"}
          tags={toTags(person, call, t)}
          trouble={<Trouble person={person} call={call} />}
          menu={drawMenu(person)}
        />
      ))}
    </ul>
  );
}
