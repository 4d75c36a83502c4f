import { afterEach, expect, jest, test } from "@jest/globals";
import { act, screen } from "@testing-library/react";
import { openVoice } from "../test-voice.tsx";
import { DeviceSelect } from "./device-select.tsx";

afterEach(() => void Reflect.deleteProperty(navigator, "mediaDevices"));

async function openSelect(choose: (id: string | undefined) => Promise<void>) {
  const devices = ["desk", "headset"].map((deviceId) => ({ kind: "audioinput", deviceId, label: deviceId }));
  Object.defineProperty(navigator, "mediaDevices", {
    value: {
      enumerateDevices: async () => devices,
      addEventListener: () => undefined,
      removeEventListener: () => undefined,
    },
    configurable: true,
  });
  const toSelect = (used: string | undefined) => (
    <DeviceSelect kind="audioinput" label="Microphone" used={used} isAllowed choose={choose} />
  );
  const page = openVoice(toSelect("headset"));
  await screen.findByRole("option", { name: "headset" });
  const select = screen.getByRole<HTMLSelectElement>("combobox");
  return { ...page, select, use: (used: string | undefined) => page.redraw(toSelect(used)) };
}

test("what is in use is shown, also where it changed by itself, and can be chosen back", async () => {
  const choose = jest.fn(async (_id: string | undefined) => undefined);
  const { user, select, use } = await openSelect(choose);
  expect(select.value).toBe("headset");
  use(undefined);
  expect(select.value).toBe("");
  await user.selectOptions(select, "headset");
  expect(choose.mock.calls).toEqual([["headset"]]);
});

test("a choice is shown while it is on its way; where it can't be used, what is in use is, and why", async () => {
  const { promise, reject } = Promise.withResolvers<void>();
  const warn = jest.spyOn(console, "warn").mockImplementation(() => undefined);
  const { user, select } = await openSelect(() => promise);
  await user.selectOptions(select, "desk");
  expect(select.value).toBe("desk");
  await act(async () => reject(new DOMException("busy", "NotReadableError")));
  expect([select.value, screen.getByRole("alert").id]).toEqual([
    "headset",
    select.getAttribute("aria-describedby"),
  ]);
  warn.mockRestore();
});
