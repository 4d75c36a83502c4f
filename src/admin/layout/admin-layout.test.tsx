import { afterEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen } from "@testing-library/react";
import type { SocketStatus } from "#providers/socket-link.ts";
import { renderAdmin } from "../test-admin.tsx";

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

/** The console with a connection that the test moves; time passes when the test says so. */
async function open(lang: "en" | "tr" = "en") {
  jest.useFakeTimers({ doNotFake: ["queueMicrotask", "nextTick"] });
  const listeners = new Set<() => void>();
  let status: SocketStatus = "idle";
  const tryNow = jest.fn();
  await renderAdmin({
    address: "/admin/models",
    lang,
    models: [],
    server: () => ({ status: 404 }),
    socket: {
      join: () => ({ push: () => Promise.reject(new Error("unused")), send: () => false, leave() {} }),
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      getStatus: () => status,
      tryNow,
    },
  });
  return {
    tryNow,
    async become(next: SocketStatus, ms = 0) {
      await act(async () => {
        status = next;
        for (const listener of listeners) listener();
      });
      await act(() => jest.advanceTimersByTimeAsync(ms));
    },
  };
}

const LOST = "Connection lost. Trying again…";

test("a connection that is away for less than two seconds is not spoken of", async () => {
  const { become } = await open();
  await become("connected");
  await become("reconnecting", 1900);
  expect(screen.queryByText(LOST)).toBeNull();
  await become("connected", 5000);
  expect(screen.queryByText(LOST)).toBeNull();
});

test("a page that has just come says nothing before its first attempt has been over for five seconds", async () => {
  const { become } = await open();
  await become("connecting", 30_000);
  await become("reconnecting", 4900);
  expect(screen.queryByText(LOST)).toBeNull();
  await become("reconnecting", 200);
  expect(screen.getByText(LOST)).toBeTruthy();
});

test.each([
  ["en", LOST, "Try now", "Connected again."],
  ["tr", "Bağlantı koptu. Yeniden deneniyor…", "Şimdi dene", "Bağlantı yeniden kuruldu."],
] as const)(
  "a lost connection is told in %s, with a way to try at once, and told again when it is back",
  async (lang, lost, button, back) => {
    const { become, tryNow } = await open(lang);
    await become("connected");
    await become("reconnecting", 2100);
    expect(screen.getByRole("status").textContent).toBe(lost);
    screen.getByRole("button", { name: button }).click();
    expect(tryNow).toHaveBeenCalledTimes(1);
    await become("connected");
    expect(screen.queryByRole("button", { name: button })).toBeNull();
    expect(screen.getByRole("status").textContent).toBe(back);
  },
);

test("the focus of a button that goes is passed on to the screen, and no other focus is touched", async () => {
  const { become } = await open();
  await become("connected");
  await become("reconnecting", 2100);
  screen.getByRole("button", { name: "Try now" }).focus();
  await become("connected");
  expect(document.activeElement?.id).toBe("main");
  await become("reconnecting", 2100);
  const link = screen.getByRole("link", { name: "Admin" });
  screen.getByRole("button", { name: "Try now" }).focus();
  link.focus();
  await become("connected");
  expect(document.activeElement).toBe(link);
});
