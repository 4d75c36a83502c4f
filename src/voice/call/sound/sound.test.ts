import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { voicePreferences } from "#contract/accounts/accounts.ts";
import { installTestBrowser } from "../test-browser.ts";
import { HOLD_MS, SpeakingGate, toLevelPercent, toRms, toStopPercent } from "./microphone.ts";
import { Sound } from "./sound.ts";
import { readDeviceSettings } from "./speaker.ts";

describe("sound", () => {
  beforeEach(() => localStorage.clear());
  afterEach(() => {
    jest.useRealTimers();
  });

  function setUp() {
    const browser = installTestBrowser();
    browser.devices.plug("audioinput", "headset");
    browser.devices.plug("audiooutput", "headset's");
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

  describe("a microphone that is unplugged", () => {
    const setUpHeadset = async () => {
      const page = setUp();
      await page.sound.openMicrophone();
      await page.sound.chooseMicrophone("headset");
      const change = async (what: "plug" | "unplug", deviceId: string) => {
        page.devices[what]("audioinput", deviceId);
        await page.settle();
        const { isOpen, wasLost, deviceId: used } = page.sound.store.getState();
        return { isOpen, wasLost, used, live: page.devices.live };
      };
      return { ...page, change };
    };

    test("gives way to another one, and is used again when it is back", async () => {
      const { change } = await setUpHeadset();
      expect(await change("unplug", "headset")).toEqual({
        isOpen: true,
        wasLost: true,
        used: undefined,
        live: "built-in",
      });
      expect(await change("plug", "headset")).toEqual({
        isOpen: true,
        wasLost: false,
        used: "headset",
        live: "headset",
      });
      expect(readDeviceSettings().microphoneId).toBe("headset");
    });

    test("and was the last one is none that is on, until one comes", async () => {
      const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
      const { change, sound, preferences, getUserMedia } = await setUpHeadset();
      await change("unplug", "built-in");
      expect(await change("unplug", "headset")).toMatchObject({
        isOpen: false,
        wasLost: true,
        live: undefined,
      });
      await sound.changePreferences({ ...preferences, echo_cancellation: false });
      // Another one than was chosen.
      expect(await change("plug", "built-in")).toMatchObject({
        isOpen: true,
        wasLost: true,
        live: "built-in",
      });
      expect(getUserMedia.mock.lastCall).toMatchObject([{ audio: { echoCancellation: false } }]);
      expect(await change("plug", "headset")).toMatchObject({ wasLost: false, live: "headset" });
      warn.mockRestore();
    });

    test("and that the browser had chosen is the browser's again when one comes", async () => {
      const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
      const { change, sound } = await setUpHeadset();
      await sound.chooseMicrophone(undefined);
      expect(await change("unplug", "built-in")).toMatchObject({ wasLost: true, live: "headset" });
      expect(await change("unplug", "headset")).toMatchObject({ isOpen: false, wasLost: true });
      expect(await change("plug", "another")).toMatchObject({
        isOpen: true,
        wasLost: false,
        live: "another",
      });
      warn.mockRestore();
    });

    test("brings nothing on behind the end: the light stays out", async () => {
      const { change, sound, getUserMedia } = await setUpHeadset();
      sound.closeMicrophone();
      await change("unplug", "headset");
      await change("plug", "headset");
      expect([sound.store.getState().isOpen, getUserMedia.mock.calls.length]).toEqual([false, 2]);
    });
  });

  test("an output that is unplugged gives way to the browser's, and is used again when it is back", async () => {
    const { sound, devices, settle } = setUp();
    await sound.chooseOutput("headset's");
    const readUsed = () => [devices.sinkId, sound.store.getState().outputId];
    expect(readUsed()).toEqual(["headset's", "headset's"]);
    devices.unplug("audiooutput", "headset's");
    await settle();
    expect(readUsed()).toEqual(["", undefined]);
    devices.plug("audiooutput", "headset's");
    await settle();
    expect(readUsed()).toEqual(["headset's", "headset's"]);
    sound.close();
    devices.unplug("audiooutput", "headset's");
    await settle();
    expect(readUsed()).toEqual(["headset's", "headset's"]);
  });
});

describe("level", () => {
  const toSamples = (amplitude: number) =>
    Float32Array.from({ length: 256 }, (_, index) => amplitude * Math.sin(index / 3));
  const toAmplitude = (dbfs: number) => 10 ** (dbfs / 20);

  test.each([
    [-80, 0],
    [-60, 0],
    [-55, 10],
    [-35, 50],
    [-14, 92],
    [0, 100],
  ])("a level of %d dBFS is %d %% of the scale", (dbfs, percent) => {
    expect(toLevelPercent(toAmplitude(dbfs))).toBe(percent);
  });

  test("silence has the level 0, and a louder tone has a higher one", () => {
    expect(toLevelPercent(toRms(toSamples(0)))).toBe(0);
    expect(toLevelPercent(toRms(toSamples(0.5)))).toBeGreaterThan(toLevelPercent(toRms(toSamples(0.05))));
  });

  test("the stop level of the default is the documented 15", () => {
    expect(toStopPercent(25)).toBe(15);
  });

  test("a gate opens at the start level and closes when it was quiet for the hold", () => {
    const gate = new SpeakingGate();
    const take = (percent: number, at: number) => [gate.take(percent, 25, at), gate.isOpen];
    expect(take(24, 0)).toEqual([false, false]);
    expect(take(25, 20)).toEqual([true, true]);
    expect(take(16, 40)).toEqual([false, true]);
    expect(take(10, 60)).toEqual([false, true]);
    expect(take(10, 60 + HOLD_MS - 1)).toEqual([false, true]);
    expect(take(10, 60 + HOLD_MS)).toEqual([true, false]);
  });

  test("a word in a pause keeps it open", () => {
    const gate = new SpeakingGate();
    gate.take(50, 25, 0);
    gate.take(0, 25, 10);
    gate.take(20, 25, HOLD_MS);
    expect(gate.take(0, 25, HOLD_MS + 20)).toBe(false);
    expect(gate.isOpen).toBe(true);
  });
});
