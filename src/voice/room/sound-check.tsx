import { useCallback, useEffect, useId, useRef, useState } from "react";
import { usePage } from "../../ui/page-context.tsx";
import type { Call } from "../call/call.ts";
import { readMicrophoneFault, toFaultText } from "../call/faults.ts";
import type { CallFault } from "../call/room-state.ts";
import { toStopPercent } from "../call/sound/microphone.ts";
import { Speaker } from "../call/sound/speaker.ts";
import { useVoiceText } from "../voice-context.tsx";
import { setLevel, useLevels, useMicrophone } from "./use-room.ts";

/** One's own level as a bar, with the marks where speaking starts and stops. */
export function LevelMeter({ call, startPercent }: { call: Call; startPercent: number }) {
  const t = useVoiceText();
  const { lang } = usePage();
  const bar = useRef<HTMLDivElement>(null);
  const text = useRef<HTMLSpanElement>(null);
  const stopPercent = toStopPercent(startPercent);
  const percent = new Intl.NumberFormat(lang, { style: "percent" });
  const draw = useCallback((levels: ReadonlyMap<string, number>) => {
    const level = levels.get("own") ?? 0;
    if (bar.current?.getAttribute("aria-valuenow") === String(level)) return;
    setLevel(bar.current, level);
    bar.current?.setAttribute("aria-valuenow", String(level));
    if (text.current)
      text.current.textContent = new Intl.NumberFormat(document.documentElement.lang, {
        style: "percent",
      }).format(level / 100);
  }, []);
  useLevels(call, draw);
  const mark = (at: number) => (element: HTMLElement | null) =>
    element?.style.setProperty("--at", String(at));
  return (
    <div className="level">
      {/* biome-ignore lint/a11y/useSemanticElements: a <meter> has no room for the two marks, and no style of its own */}
      <div
        ref={bar}
        className="level-bar"
        role="meter"
        aria-label={t("call:check.levelLabel")}
        aria-valuemin={0}
        aria-valuemax={100}
        aria-valuenow={0}
      >
        <span className="level-mark" ref={mark(startPercent)} />
        <span className="level-mark" ref={mark(stopPercent)} />
      </div>
      <p className="level-marks">
        <span>
          {t("call:audio.level")} <span ref={text}>{percent.format(0)}</span>
        </span>
        <span>{t("call:audio.stop", { percent: percent.format(stopPercent / 100) })}</span>
        <span>{t("call:audio.start", { percent: percent.format(startPercent / 100) })}</span>
      </p>
    </div>
  );
}

/** Devices of a kind, as the browser lists them; without leave for a microphone they have no names. */
function useDevices(kind: MediaDeviceKind, isAllowed: boolean): readonly MediaDeviceInfo[] {
  const [devices, setDevices] = useState<readonly MediaDeviceInfo[]>([]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: names come with the leave
  useEffect(() => {
    const { mediaDevices } = navigator;
    if (!mediaDevices) return;
    let isLeft = false;
    const list = () =>
      mediaDevices
        .enumerateDevices()
        .then((all) => !isLeft && setDevices(all.filter((device) => device.kind === kind && device.deviceId)))
        .catch((error: unknown) => console.warn("The devices could not be listed.", error));
    void list();
    mediaDevices.addEventListener("devicechange", list);
    return () => {
      isLeft = true;
      mediaDevices.removeEventListener("devicechange", list);
    };
  }, [kind, isAllowed]);
  return devices;
}

interface DeviceSelectProps {
  kind: "audioinput" | "audiooutput";
  label: string;
  /** What is in use; undefined: the browser's choice. */
  used: string | undefined;
  isAllowed: boolean;
  /** Rejects where the device can't be used. */
  choose: (deviceId: string | undefined) => Promise<void>;
}

export function DeviceSelect({ kind, label, used, isAllowed, choose }: DeviceSelectProps) {
  const t = useVoiceText();
  const id = useId();
  const devices = useDevices(kind, isAllowed).filter(({ deviceId }) => deviceId !== "default");
  /** Chosen, and not in use yet. */
  const [wanted, setWanted] = useState<string>();
  const [hasFailed, setHasFailed] = useState(false);

  async function change(next: string) {
    setWanted(next);
    setHasFailed(false);
    try {
      await choose(next || undefined);
    } catch (error) {
      console.warn("The device could not be used.", error);
      setHasFailed(true);
    } finally {
      setWanted(undefined);
    }
  }

  const value = wanted ?? used ?? "";
  const isKnown = value === "" || devices.some(({ deviceId }) => deviceId === value);
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={isKnown ? value : ""}
        aria-describedby={hasFailed ? `${id}-error` : undefined}
        onChange={({ currentTarget }) => void change(currentTarget.value)}
      >
        <option value="">{t("call:check.default")}</option>
        {devices.map(({ deviceId, label: name }, index) => (
          <option key={deviceId} value={deviceId}>
            {name || t("call:check.unnamed", { number: index + 1 })}
          </option>
        ))}
      </select>
      {hasFailed && (
        <p className="field-error" id={`${id}-error`} role="alert">
          {t("call:check.deviceFailed")}
        </p>
      )}
    </div>
  );
}

/** Whether the browser gave leave before, and lets sound run: then the microphone opens without a question. */
async function isMicrophoneGranted(): Promise<boolean> {
  if (!navigator.userActivation?.hasBeenActive) return false;
  try {
    return (await navigator.permissions.query({ name: "microphone" as PermissionName })).state === "granted";
  } catch {
    // A browser that doesn't say: the person is asked by their own click.
    return false;
  }
}

interface SoundCheckProps {
  call: Call;
  startPercent: number;
  /** The microphone goes on where the browser gave leave before; not behind a call, whose end turned it off. */
  opensItself: boolean;
}

/** Before joining: which microphone, whether it hears, whether oneself hears (specification B section 4 has it begin first). */
export function SoundCheck({ call, startPercent, opensItself }: SoundCheckProps) {
  const t = useVoiceText();
  const { isOpen, isSilent } = useMicrophone(call);
  const [isAsking, setIsAsking] = useState(false);
  const [fault, setFault] = useState<CallFault>();

  async function turnOn() {
    setIsAsking(true);
    setFault(undefined);
    try {
      await call.sound.openMicrophone();
    } catch (error) {
      setFault(readMicrophoneFault(error));
    } finally {
      setIsAsking(false);
    }
  }

  useEffect(() => {
    if (!opensItself) return;
    let isLeft = false;
    void isMicrophoneGranted().then(async (isGranted) => {
      if (!isGranted || isLeft) return;
      await call.sound.openMicrophone().catch((error: unknown) => setFault(readMicrophoneFault(error)));
    });
    return () => {
      isLeft = true;
    };
  }, [call, opensItself]);

  return (
    <section className="voice-card sound-check" aria-labelledby="sound-check">
      <h2 id="sound-check">{t("call:check.title")}</h2>
      {isOpen ? (
        <>
          <p className="field-note">{t(isSilent ? "call:notice.silent" : "call:check.speak")}</p>
          <LevelMeter call={call} startPercent={startPercent} />
        </>
      ) : (
        <button type="button" className="voice-button" onClick={() => void turnOn()} disabled={isAsking}>
          {t(isAsking ? "call:check.asking" : "call:check.turnOn")}
        </button>
      )}
      <div role="alert">{fault && <p className="alert">{toFaultText(fault, t)}</p>}</div>
      <Devices call={call} />
      <button type="button" className="voice-button" onClick={() => call.sound.chime("test")}>
        {t("call:check.test")}
      </button>
    </section>
  );
}

/** The choice of microphone and loudspeaker: before the call and during it. */
export function Devices({ call }: { call: Call }) {
  const t = useVoiceText();
  const { isOpen, deviceId, outputId } = useMicrophone(call);
  return (
    <div className="voice-devices">
      <DeviceSelect
        kind="audioinput"
        label={t("call:check.microphone")}
        used={deviceId}
        isAllowed={isOpen}
        choose={(id) => call.sound.chooseMicrophone(id)}
      />
      {Speaker.canChooseOutput && (
        <DeviceSelect
          kind="audiooutput"
          label={t("call:check.output")}
          used={outputId}
          isAllowed={isOpen}
          choose={(id) => call.sound.chooseOutput(id)}
        />
      )}
    </div>
  );
}
