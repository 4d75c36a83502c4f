import { afterEach, describe, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { SocketStatus } from "#providers/socket/link.ts";
import { fillInBrowser, renderAdmin } from "../test-admin.tsx";

describe("admin header", () => {
  afterEach(cleanup);

  async function open(lang: "en" | "tr", isRoomy: boolean) {
    fillInBrowser();
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      query.includes("min-width")
        ? Object.assign(matchMedia(query), { matches: isRoomy })
        : matchMedia(query);
    await renderAdmin({ address: "/admin/models", lang, models: [], server: () => ({ status: 404 }) });
  }

  test.each([
    ["en", true, "View site", "/en/cv"],
    ["tr", false, "Siteyi gör", "/tr/cv"],
  ] as const)(
    "the public site is one link away, in the reader's language (%s)",
    async (lang, isRoomy, name, to) => {
      await open(lang, isRoomy);
      expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(to);
    },
  );

  test("the link follows a change of the language", async () => {
    await open("en", true);
    await userEvent.click(screen.getByRole("button", { name: /Türkçe/ }));
    expect(screen.getByRole("link", { name: "Siteyi gör" }).getAttribute("href")).toBe("/tr/cv");
  });

  test("a double click on a language saves it once", async () => {
    const writes: string[] = [];
    fillInBrowser();
    await renderAdmin({
      address: "/admin/models",
      models: [],
      server({ method, url }) {
        if (method !== "GET") writes.push(`${method} ${url.pathname}`);
        return { status: 404 };
      },
    });
    await userEvent.dblClick(screen.getByRole("button", { name: /Türkçe/ }));
    expect(writes).toEqual(["PUT /api/users/profile/"]);
  });

  test("a narrow bar has log-out and language once, behind the account's button", async () => {
    await open("en", false);
    const menu = document.querySelector("#account-menu");
    expect(screen.getByRole("button", { name: /^Account/ }).getAttribute("popovertarget")).toBe(
      "account-menu",
    );
    expect(menu?.contains(screen.getByRole("button", { name: "Log out" }))).toBe(true);
    expect(menu?.contains(screen.getByRole("group", { name: "Language" }))).toBe(true);
  });
});

describe("sidebar", () => {
  afterEach(cleanup);

  /** The console in a narrow window, its sidebar open over the list of models. */
  async function openNarrow() {
    fillInBrowser();
    const { matchMedia } = window;
    window.matchMedia = (query) =>
      query.includes("min-width") ? Object.assign(matchMedia(query), { matches: false }) : matchMedia(query);
    await renderAdmin({ address: "/admin/models?search=x", models: [], server: () => ({ status: 404 }) });
    const toggle = screen.getByRole("button", { expanded: false, name: /sidebar/i });
    await userEvent.click(toggle);
    return { toggle, overlay: () => screen.queryByRole("button", { name: /close.*sidebar/i }) };
  }

  test("choosing the screen that one is on closes it too", async () => {
    const { overlay } = await openNarrow();
    expect(overlay()).toBeTruthy();
    const sidebar = screen.getByRole("navigation", { name: "Sections" });
    await userEvent.click(within(sidebar).getByRole("link", { name: "Models" }));
    await waitFor(() => expect(overlay()).toBeNull());
  });

  test("it takes the focus, and Escape closes it and gives the focus back", async () => {
    const { overlay, toggle } = await openNarrow();
    expect(document.activeElement?.textContent).toBe("Dashboard");
    await userEvent.keyboard("{Escape}");
    await waitFor(() => expect(overlay()).toBeNull());
    expect(document.activeElement).toBe(toggle);
  });
});

describe("admin layout", () => {
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
    "a lost connection is shown in %s, with a way to try at once, and shown again when it is back",
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
});
