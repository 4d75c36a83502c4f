import { useEffect, useState } from "react";
import type { Call } from "../call/call.ts";
import { readMicrophoneFault } from "../call/faults.ts";
import type { CallFault } from "../call/room-state.ts";
import { Speaker } from "../call/sound/speaker.ts";
import { useVoiceText } from "../voice-text.tsx";
import { DeviceSelect } from "./device-select.tsx";
import { toFaultText } from "./fault-text.ts";
import { LevelMeter } from "./level-meter.tsx";
import { useMicrophone } from "./use-room.ts";

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
