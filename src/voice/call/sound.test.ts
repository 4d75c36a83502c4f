import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/preferences.ts";
import { readDeviceSettings } from "./own-settings.ts";
import { Sound } from "./sound.ts";
import { installTestBrowser } from "./test-browser.ts";

beforeEach(() => localStorage.clear());
afterEach(() => {
  jest.useRealTimers();
});

function setUp() {
  const browser = installTestBrowser();
  browser.devices.plug("audioinput", "headset");
  const preferences = voicePreferences.parse({});
  const sound = new Sound(preferences, { onSpeaking: () => undefined, onLevel: () => undefined });
  const refuse = () => browser.getUserMedia.mockRejectedValueOnce(new Error("busy"));
  return { ...browser, preferences, sound, refuse };
}

describe("a microphone that is refused", () => {
  test("leaves the former one on, is not remembered, and is asked for again when it is chosen again", async () => {
    const { sound, devices, refuse } = setUp();
    await sound.openMicrophone();
    refuse();
    await expect(sound.chooseMicrophone("headset")).rejects.toThrow("busy");
    expect([devices.live, sound.store.getState().deviceId]).toEqual(["built-in", undefined]);
    expect(readDeviceSettings().microphoneId).toBeUndefined();
    await sound.chooseMicrophone("headset");
    expect([devices.live, sound.store.getState().deviceId]).toEqual(["headset", "headset"]);
    expect(readDeviceSettings().microphoneId).toBe("headset");
  });

  test("because it isn't there is not taken for the one that is used instead", async () => {
    const { sound, devices } = setUp();
    await sound.openMicrophone();
    await expect(sound.chooseMicrophone("at home")).rejects.toMatchObject({ name: "OverconstrainedError" });
    expect([devices.live, readDeviceSettings().microphoneId]).toEqual(["built-in", undefined]);
  });

  test("with another way of cleaning is asked for again with the next change", async () => {
    const { sound, preferences, getUserMedia, refuse } = setUp();
    await sound.openMicrophone();
    const next = { ...preferences, echo_cancellation: false };
    refuse();
    await expect(sound.changePreferences(next)).rejects.toThrow("busy");
    await sound.changePreferences(next);
    expect(getUserMedia.mock.lastCall).toMatchObject([{ audio: { echoCancellation: false } }]);
    await sound.changePreferences({ ...next, microphone_gain: 2 });
    expect(getUserMedia).toHaveBeenCalledTimes(3);
  });
});

test("a remembered microphone that isn't there is none that is used, whatever is set meanwhile", async () => {
  const { sound, preferences, devices, getUserMedia } = setUp();
  sound.remember({ microphoneId: "at home" });
  await sound.openMicrophone();
  expect([devices.live, sound.store.getState().deviceId]).toEqual(["built-in", undefined]);
  await sound.changePreferences({ ...preferences, microphone_gain: 2 });
  expect(getUserMedia).toHaveBeenCalledTimes(2);
});
