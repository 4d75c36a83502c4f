import { describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, render, screen, waitFor, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import { toRequest } from "../../../head/test-request.ts";
import { texts } from "../../../public-texts-en.ts";
import { runTheme } from "../../../ui/loader/theme.ts";
import { PublicApp, toPage } from "../../../ui/site-layout.tsx";
import { type Answer, createMemoryStorage, openProfile, type Routes } from "../test-profile.tsx";
import { readThemeChoice, saveThemeChoice, watchThemeChoice } from "./appearance-settings.tsx";

describe("settings tab", () => {
  const SAVE = "PUT /api/users/profile/";

  async function open(routes: Routes = {}) {
    window.matchMedia ??= (() => ({ matches: false })) as unknown as typeof window.matchMedia;
    const opened = openProfile({ path: "/profile?tab=settings", routes });
    await screen.findByRole("region", { name: "Privacy" });
    return opened;
  }

  describe("a setting", () => {
    test("is saved at once, alone, and says so", async () => {
      const { user, backEnd } = await open();
      const box = screen.getByLabelText<HTMLInputElement>("Others can find me by name");
      expect(box.checked).toBe(true);
      await user.click(box);
      expect((await screen.findByText("Saved")).closest('[role="status"]')).toBeTruthy();
      expect(box.checked).toBe(false);
      expect(backEnd.sent(SAVE)).toEqual([{ privacy_settings: '{"is_searchable":false}' }]);
    });

    test("that can't be saved keeps the choice, says why, and is tried again", async () => {
      const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
      let isDown = true;
      const opened = await open({
        [SAVE]: () =>
          isDown
            ? { status: 503, body: { detail: "Back in a minute." } }
            : { body: { ...opened.backEnd.state.profile, updated_at: "2026-11-20T12:30:00Z" } },
      });
      const box = screen.getByLabelText<HTMLInputElement>("Remove echo");
      await opened.user.click(box);
      expect(
        (await screen.findByText("Not saved. Back in a minute.")).closest('[role="alert"]'),
      ).toBeTruthy();
      expect(box.checked).toBe(false);
      isDown = false;
      await opened.user.click(screen.getByRole("button", { name: "Try again" }));
      expect(await screen.findByText("Saved")).toBeTruthy();
      expect(opened.backEnd.sent(SAVE)).toHaveLength(2);
      warn.mockRestore();
    });

    test("that is changed while it is being saved ends with the last choice", async () => {
      const answers: ((answer: Answer) => void)[] = [];
      const opened = await open({ [SAVE]: () => new Promise<Answer>((resolve) => answers.push(resolve)) });
      const quality = screen.getByLabelText("Sound quality");
      await opened.user.selectOptions(quality, "Low (saves data)");
      await opened.user.selectOptions(quality, "Medium");
      await opened.user.selectOptions(quality, "High");
      const finish = async () => act(async () => answers.shift()?.({ body: opened.backEnd.state.profile }));
      await finish();
      await waitFor(() => expect(opened.backEnd.sent(SAVE)).toHaveLength(2));
      await finish();
      expect(opened.backEnd.sent(SAVE).map(({ voice_preferences }) => voice_preferences)).toEqual([
        '{"quality":"low"}',
        '{"quality":"high"}',
      ]);
    });

    test("that slides is saved when it rests, with its value in words", async () => {
      const { backEnd } = await open();
      const slider = screen.getByLabelText<HTMLInputElement>("Microphone sensitivity");
      expect([slider.min, slider.max, slider.value]).toEqual(["10", "50", "25"]);
      // Strict mode ends the effects of a new screen and begins them again, some time after it is drawn: this call shows that it has.
      await waitFor(() => expect(backEnd.sent("GET /api/users/mail-address/")).toHaveLength(2));
      jest.useFakeTimers();
      try {
        for (const value of ["30", "35", "40"]) fireEvent.change(slider, { target: { value } });
        expect(slider.getAttribute("aria-valuetext")).toBe("40%");
        expect(backEnd.sent(SAVE)).toEqual([]);
        await act(() => jest.runOnlyPendingTimersAsync());
        expect(backEnd.sent(SAVE)).toEqual([{ voice_preferences: '{"sensitivity":40}' }]);
      } finally {
        jest.useRealTimers();
      }
      expect(await screen.findByText("Saved")).toBeTruthy();
    });

    test("that slides is saved also when the tab is left before it rests", async () => {
      const { backEnd, user } = await open();
      fireEvent.change(screen.getByLabelText("Volume of others"), { target: { value: "0.5" } });
      await user.click(screen.getByRole("tab", { name: "About" }));
      await waitFor(() => expect(backEnd.sent(SAVE)).toEqual([{ voice_preferences: '{"volume":0.5}' }]));
    });
  });

  test("the name that others see is saved once it was typed, and shows the number where there is none", async () => {
    const { backEnd } = await open();
    const line = screen.getByLabelText<HTMLInputElement>("Name that others see");
    expect([line.value, line.placeholder, line.maxLength]).toEqual(["", "#1", 40]);
    jest.useFakeTimers();
    try {
      for (const value of ["S", "Si", "Sis"]) fireEvent.change(line, { target: { value } });
      expect([line.value, backEnd.sent(SAVE)]).toEqual(["Sis", []]);
      await act(() => jest.runOnlyPendingTimersAsync());
      expect(backEnd.sent(SAVE)).toEqual([{ privacy_settings: '{"shown_name":"Sis"}' }]);
    } finally {
      jest.useRealTimers();
    }
    expect(await screen.findByText("Saved")).toBeTruthy();
  });

  test("the language is saved, remembered in this browser, and the site is loaded in it", async () => {
    const { user, backEnd, goTo, storage } = await open();
    await user.selectOptions(screen.getByLabelText("Language"), "English");
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/en/profile?tab=settings"));
    expect(backEnd.sent(SAVE)).toEqual([{ admin_language: "en" }]);
    expect(storage.getItem("preferred-language")).toBe("en");
    expect(document.cookie).toContain("preferred-language=en");
  });

  test("the language asks before it costs a picture that is chosen but not saved", async () => {
    const { user, backEnd, goTo } = await open();
    await user.click(screen.getByRole("button", { name: "Edit" }));
    const picture = new File(["x"], "me.png", { type: "image/png" });
    await user.upload(screen.getByLabelText("Change picture"), picture);
    const preview = await screen.findByAltText(/^Picture of/);
    await user.click(screen.getByRole("tab", { name: "Settings" }));
    const language = screen.getByLabelText<HTMLSelectElement>("Language");
    const before = language.value;
    await user.selectOptions(language, "Türkçe");
    await user.click(screen.getByRole("button", { name: "Keep editing" }));
    expect([language.value, backEnd.sent(SAVE)]).toEqual([before, []]);
    expect(preview.isConnected).toBe(true);
    await user.selectOptions(language, "Türkçe");
    await user.click(screen.getByRole("button", { name: "Discard changes" }));
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/tr/profile?tab=settings"));
    expect(backEnd.sent(SAVE)).toEqual([{ admin_language: "tr" }]);
  });

  test("a language that can't be saved changes nothing here", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    const { user, goTo, storage } = await open({ [SAVE]: () => ({ status: 500, body: {} }) });
    await user.selectOptions(screen.getByLabelText("Language"), "English");
    expect(await screen.findByText("Not saved.")).toBeTruthy();
    expect(goTo).not.toHaveBeenCalled();
    expect(storage.getItem("preferred-language")).toBeNull();
    warn.mockRestore();
  });

  test("the theme is kept as the page's loader reads it, which gets it at once, and saved", async () => {
    const { user, backEnd, storage } = await open();
    const listener = jest.fn<(event: StorageEvent) => void>();
    window.addEventListener("storage", listener);
    await user.selectOptions(screen.getByLabelText("Theme"), "Dark");
    window.removeEventListener("storage", listener);
    expect(JSON.parse(storage.getItem("theme-preference") ?? "")).toEqual({ isDark: true, isSystem: false });
    expect(listener.mock.calls.map(([{ key }]) => key)).toEqual(["theme-preference"]);
    await waitFor(() => expect(backEnd.sent(SAVE)).toEqual([{ admin_theme: "dark" }]));
  });

  describe("own data", () => {
    const EXPORT = "GET /api/users/export/";

    test("is downloaded under the name that the server gives", async () => {
      const names: string[] = [];
      const click = jest.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function click(
        this: HTMLAnchorElement,
      ) {
        names.push(this.download);
      });
      Object.assign(URL, { createObjectURL: () => "blob:1", revokeObjectURL: () => {} });
      const { user, backEnd } = await open({
        [EXPORT]: () => ({
          body: {},
          headers: { "content-disposition": 'attachment; filename="foyer-isil-2026-11-20.zip"' },
        }),
      });
      await user.click(screen.getByRole("button", { name: "Download my data" }));
      expect(await screen.findByText("Your data was downloaded.")).toBeTruthy();
      // The second click of a double click, which comes when a small file is there already.
      fireEvent.click(screen.getByRole("button", { name: "Download my data" }), { detail: 2 });
      expect(backEnd.sent(EXPORT)).toHaveLength(1);
      expect(names).toEqual(["foyer-isil-2026-11-20.zip"]);
      click.mockRestore();
    });

    test("that can't be had is said", async () => {
      const { user } = await open({
        [EXPORT]: () => ({ status: 429, body: { detail: "Too many requests." } }),
      });
      await user.click(screen.getByRole("button", { name: "Download my data" }));
      expect((await screen.findByText("Too many requests.")).getAttribute("role")).toBe("alert");
    });
  });

  describe("deleting the account", () => {
    const DELETE = "DELETE /api/users/me/";

    async function openDialog(routes: Routes = {}) {
      const opened = await open(routes);
      await opened.user.click(screen.getByRole("button", { name: "Delete my account" }));
      const dialog = within(screen.getByRole("dialog", { name: "Delete the account isil?" }));
      return { ...opened, dialog };
    }

    test("names what goes and what stays, and can be left", async () => {
      const { dialog, user, backEnd } = await openDialog();
      expect(dialog.getAllByRole("list").map((list) => list.previousSibling?.textContent)).toEqual([
        "What goes at once",
        "What stays",
      ]);
      await user.click(dialog.getByRole("button", { name: "Keep my account" }));
      expect(screen.queryByRole("dialog")).toBeNull();
      expect(backEnd.sent(DELETE)).toEqual([]);
    });

    test("needs the password; then this browser is signed out, and the CV comes and says so", async () => {
      const { dialog, user, backEnd, goTo, session } = await openDialog({
        [DELETE]: () => ({ status: 204 }),
      });
      const confirm = dialog.getByRole("button", { name: "Delete my account" });
      await user.click(confirm);
      expect(dialog.getByText("Please enter your current password")).toBeTruthy();
      expect(backEnd.sent(DELETE)).toEqual([]);
      await user.type(dialog.getByLabelText("Current password"), "Correct-Horse-1");
      await user.click(confirm);
      await waitFor(() => expect(goTo).toHaveBeenCalledWith("/cv"));
      expect(backEnd.sent(DELETE)).toEqual([{ password: "Correct-Horse-1" }]);
      expect(session.getAuthState()).toBeNull();
      render(<PublicApp page={toPage(toRequest("cv"), texts)} screen={<p>CV</p>} />, {
        wrapper: MemoryRouter,
      });
      expect(screen.getByText(/^Your account was deleted/).getAttribute("role")).toBe("status");
    });

    test.each([
      [
        { status: 409, body: { detail: "You are the last superuser of this site." } },
        "You are the last superuser of this site.",
      ],
      [
        {
          status: 400,
          body: {
            detail: "Validation failed",
            errors: [
              { field: "password", code: "wrong_password", message: "This is not your current password." },
            ],
          },
        },
        "This is not your current password.",
      ],
      [{ status: 500, body: {} }, "Your account could not be deleted. Please try again."],
    ])("that is refused says why and stays signed in: %j", async (answer, text) => {
      const { dialog, user, session, goTo } = await openDialog({ [DELETE]: () => answer });
      await user.type(dialog.getByLabelText("Current password"), "Wrong-Horse-1");
      await user.click(dialog.getByRole("button", { name: "Delete my account" }));
      expect(await dialog.findByText(text)).toBeTruthy();
      expect(session.getAuthState()).not.toBeNull();
      expect(goTo).not.toHaveBeenCalled();
    });
  });
});

describe("theme choice", () => {
  Object.assign(window, { matchMedia: () => Object.assign(new EventTarget(), { matches: true }) });

  test("the page's loader shows each choice at once, and a dark system where none was made", () => {
    const storage = createMemoryStorage();
    const root = document.createElement("div");
    runTheme(root, storage);
    expect([readThemeChoice(storage), root.dataset.theme]).toEqual(["auto", "dark"]);
    for (const [choice, shown] of [
      ["light", "light"],
      ["dark", "dark"],
      ["auto", "dark"],
    ] as const) {
      saveThemeChoice(storage, choice);
      expect([readThemeChoice(storage), root.dataset.theme]).toEqual([choice, shown]);
    }
  });

  test("what the page's own button chooses is taken over", () => {
    const storage = createMemoryStorage();
    runTheme(document.createElement("div"), storage);
    const button = document.createElement("button");
    button.dataset.themeToggle = "";
    document.body.append(button);
    const listenTheme = jest.fn(() => readThemeChoice(storage));
    const stop = watchThemeChoice(listenTheme);
    button.click();
    expect(listenTheme).toHaveReturnedWith("light");
    stop();
    button.remove();
  });

  test("something else under the key is no choice", () => {
    const storage = createMemoryStorage();
    storage.setItem("theme-preference", "{");
    expect(readThemeChoice(storage)).toBe("auto");
  });
});
