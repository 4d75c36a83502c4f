import { expect, jest, test } from "@jest/globals";
import { act, screen } from "@testing-library/react";
import { openVoice } from "../test-voice.tsx";
import { LeaveGuard } from "./leave-guard.tsx";

/** Once the browser has gone back, as far as it was asked to. */
const goBack = () =>
  act(async () => {
    const gone = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
    window.history.back();
    await gone;
  });

const hasQuestion = () => screen.queryByRole("dialog", { name: "Leave the call?" }) !== null;

test("Back asks, and whoever stays is asked the next time too", async () => {
  const onLeave = jest.fn();
  const { user } = openVoice(<LeaveGuard onLeave={onLeave} />);
  await goBack();
  expect([hasQuestion(), onLeave.mock.calls]).toEqual([true, []]);
  await user.click(screen.getByRole("button", { name: "Stay in the call" }));
  expect(hasQuestion()).toBe(false);
  await goBack();
  expect(hasQuestion()).toBe(true);
  await user.click(screen.getByRole("button", { name: "Leave" }));
  expect([hasQuestion(), onLeave.mock.calls.length]).toEqual([false, 1]);
});

test("who comes back into a call at once is not asked for the end of the one before", async () => {
  const gone = new Promise((resolve) => window.addEventListener("popstate", resolve, { once: true }));
  openVoice(<LeaveGuard onLeave={() => undefined} />).unmount();
  openVoice(<LeaveGuard onLeave={() => undefined} />);
  await act(async () => gone);
  expect(hasQuestion()).toBe(false);
  await goBack();
  expect(hasQuestion()).toBe(true);
});
