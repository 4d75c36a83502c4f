import { useEffect, useId, useState } from "react";
import { useVoiceText } from "../voice-text.tsx";

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
