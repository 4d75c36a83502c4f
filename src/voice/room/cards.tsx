import { useEffect, useState } from "react";
import type { VoiceRoom } from "#contract/voice/rooms.ts";
import type { Call } from "../call/call.ts";
import { countHearers, type InRoom } from "../call/room-state.ts";
import { useVoiceText, type VoiceText } from "../voice-context.tsx";
import { LevelMeter } from "./sound-check.tsx";
import { useMicrophone } from "./use-room.ts";

const GROUPS = 5;
/** Of one group: the remainder then favours none of its ten thousand values. */
const GROUP_BYTES = 4;
/** Each guess costs so many hashes: a twentieth of a second here, and years for who looks for two sets with one code. */
const ROUNDS = 100_000;

/**
 * Twenty digits over the fingerprints of everybody's certificate: equal on all screens where no connection has somebody in
 * between. Who sits there chooses both of their certificates, and would need some 2^33 of them, each put through PBKDF2, until
 * two sets give the same code.
 */
async function buildSafetyCode(fingerprints: readonly string[]): Promise<string> {
  const encoder = new TextEncoder();
  const text = [...new Set(fingerprints)].sort().join("\n");
  const key = await crypto.subtle.importKey("raw", encoder.encode(text), "PBKDF2", false, ["deriveBits"]);
  const salt = encoder.encode("Foyer safety code");
  const settings = { name: "PBKDF2", hash: "SHA-256", salt, iterations: ROUNDS };
  const bits = new DataView(await crypto.subtle.deriveBits(settings, key, GROUPS * GROUP_BYTES * 8));
  const groups = Array.from({ length: GROUPS }, (_, index) =>
    String(bits.getUint32(index * GROUP_BYTES) % 10_000).padStart(4, "0"),
  );
  return groups.join(" ");
}

function Row({ name, value, mood }: { name: string; value: string; mood?: "good" | "bad" | undefined }) {
  return (
    <div className="fact">
      <dt>{name}</dt>
      <dd className={mood && `fact-${mood}`}>{value}</dd>
    </div>
  );
}

/** "Your Audio": what one's own microphone does, as the others get it. */
export function AudioCard({
  call,
  state,
  startPercent,
}: {
  call: Call;
  state: InRoom;
  startPercent: number;
}) {
  const t = useVoiceText();
  const { isOpen } = useMicrophone(call);
  const { me } = state;
  const isActive = isOpen && !me.isMuted && !me.isSilenced && !me.isListening;
  const hearers = countHearers(state);
  return (
    <section className="voice-card" aria-labelledby="own-audio">
      <h2 id="own-audio">{t("call:audio.title")}</h2>
      <dl>
        <Row
          name={t("call:audio.microphone")}
          value={
            me.isListening || !isOpen
              ? t("call:audio.off")
              : t(isActive ? "call:audio.active" : "call:audio.muted")
          }
          mood={isActive ? "good" : undefined}
        />
        <Row name={t("call:audio.speaking")} value={t(me.isSpeaking ? "call:audio.yes" : "call:audio.no")} />
      </dl>
      {isOpen && !me.isListening && <LevelMeter call={call} startPercent={startPercent} />}
      {hearers && (
        <p className={hearers.hearing < hearers.all ? "hearers fact-bad" : "hearers fact-good"}>
          {t("call:link.heardBy", hearers)}
        </p>
      )}
    </section>
  );
}

function toWebRtc({ people: all, apart }: InRoom, t: VoiceText): { value: string; mood?: "good" | "bad" } {
  // Between two who are apart no link is missing.
  const people = all.filter(({ user_id }) => !apart.includes(user_id));
  if (people.length === 0) return { value: t("call:connection.waiting") };
  const connected = people.filter(({ link }) => link === "connected").length;
  if (connected === people.length) return { value: t("call:connection.connected"), mood: "good" };
  return { value: t("call:connection.partly", { connected, all: people.length }), mood: "bad" };
}

/** How the sound is protected, and from whom. */
function toProtection(call: Call, room: VoiceRoom, { people }: InRoom) {
  if (room.engine === "mix") return "call:connection.mix";
  const linked = people.filter(({ link, quality }) => link === "connected" && quality);
  const relayed = linked.filter(({ quality }) => quality?.isRelayed);
  if (call.isAddressHidden || (relayed.length > 0 && relayed.length === linked.length))
    return "call:connection.relayed";
  return relayed.length > 0 ? "call:connection.partlyRelayed" : "call:connection.mesh";
}

/** "Connection": links and signalling as they are, and how the sound is protected. */
export function ConnectionCard({
  call,
  state,
  room,
  hasRelay,
}: {
  call: Call;
  state: InRoom;
  room: VoiceRoom;
  hasRelay: boolean;
}) {
  const t = useVoiceText();
  const webrtc = toWebRtc(state, t);
  const isUp = state.signalling === "connected";
  const streams =
    state.people.filter(({ is_speaking, is_muted }) => is_speaking && !is_muted).length +
    (state.me.isSpeaking ? 1 : 0);
  return (
    <section className="voice-card" aria-labelledby="connection">
      <h2 id="connection">{t("call:connection.title")}</h2>
      <dl>
        <Row name={t("call:connection.webrtc")} {...webrtc} />
        <Row
          name={t("call:connection.signalling")}
          value={t(isUp ? "call:connection.active" : "call:connection.reconnecting")}
          mood={isUp ? "good" : "bad"}
        />
        <Row name={t("call:connection.streams")} value={String(streams)} />
        {room.engine === "mesh" && <SafetyCode call={call} state={state} />}
      </dl>
      {room.engine === "mesh" && <p className="field-note">{t("call:connection.codeHint")}</p>}
      <p className="field-note">{t(toProtection(call, room, state))}</p>
      {call.isAddressHidden && <p className="field-note">{t("call:connection.hidden")}</p>}
      {!hasRelay && room.engine === "mesh" && <p className="field-note">{t("call:connection.noRelay")}</p>}
    </section>
  );
}

/** The same for everybody whose links are there: read aloud, it shows that nobody stands between. */
function SafetyCode({ call, state }: { call: Call; state: InRoom }) {
  const t = useVoiceText();
  const [code, setCode] = useState<string>();
  // Reading descriptions is dear: only where somebody else is linked than before.
  const linked = state.people.map(({ id, link }) => `${id} ${link}`).join();
  useEffect(() => {
    let isOld = false;
    const fingerprints = linked ? call.listFingerprints() : undefined;
    // Pages without https have no digests.
    if (!fingerprints || !window.isSecureContext) setCode(undefined);
    else
      void buildSafetyCode(fingerprints).then((built) => {
        if (!isOld) setCode(built);
      });
    return () => {
      isOld = true;
    };
  }, [call, linked]);
  return (
    <div className="fact">
      <dt>{t("call:connection.code")}</dt>
      <dd>{code ? <span className="safety-code">{code}</span> : t("call:connection.codeWaiting")}</dd>
    </div>
  );
}
