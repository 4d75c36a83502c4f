import { describe, expect, jest, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { App } from "antd";
import { I18nextProvider } from "react-i18next";
import { createMemoryRouter, RouterProvider } from "react-router";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { createHttp } from "#providers/http/http.ts";
import { createI18n } from "#providers/i18n.ts";
import { fillInBrowser } from "../test-admin.tsx";
import { loadFile, MissingOverlay, ScreenError, toErrorText } from "./errors.tsx";

describe("errors", () => {
  const guest = { getAccessToken: async () => null, renewAccessToken: async () => null };

  test.each([
    ["en", "No valid token", "An error occurred"],
    ["tr", "Geçerli bir belirteç yok", "Bir hata oluştu"],
  ] as const)("without a token nothing is asked, which is said in %s", async (lang, noToken, unknown) => {
    const { t } = createI18n(lang);
    const sent: unknown[] = [];
    const http = createHttp({
      getLanguage: () => lang,
      session: guest,
      isGuestRefused: true,
      fetch: (async (url: unknown) => sent.push(url)) as unknown as typeof fetch,
    });
    const error: unknown = await http.request("/api/users/").catch((thrown: unknown) => thrown);
    expect(toErrorText(error, t)).toBe(noToken);
    expect(error).toMatchObject({ status: 401 });
    expect(sent).toEqual([]);
    expect(toErrorText({ message: UNKNOWN_ERROR }, t)).toBe(unknown);
  });
});

describe("missing part", () => {
  const BROWSER_WORDS = "Failed to fetch dynamically imported module: https://x.test/assets/users-1.js";
  const fetchGone = () => Promise.reject(new TypeError(BROWSER_WORDS));

  test.each([
    ["en", "Part of the console could not be loaded", "Load again"],
    ["tr", "Konsolun bir parçası yüklenemedi", "Yeniden yükle"],
  ] as const)("a screen whose file a new version has replaced says so in %s", async (lang, title, button) => {
    fillInBrowser();
    const router = createMemoryRouter([
      { path: "/", errorElement: <ScreenError />, lazy: () => loadFile(fetchGone) },
    ]);
    const { unmount } = render(
      <I18nextProvider i18n={createI18n(lang)}>
        <RouterProvider router={router} />
      </I18nextProvider>,
    );
    expect((await screen.findByRole("alert")).textContent).toContain(title);
    expect(screen.getByRole("button", { name: button })).toBeTruthy();
    expect(screen.queryByText(BROWSER_WORDS)).toBeNull();
    unmount();
  });

  test("a part over the screen whose file is gone closes with a notice", async () => {
    fillInBrowser();
    const onClose = jest.fn();
    render(
      <I18nextProvider i18n={createI18n("en")}>
        <App>
          <MissingOverlay onClose={onClose} />
        </App>
      </I18nextProvider>,
    );
    expect(await screen.findByText("Part of the console could not be loaded")).toBeTruthy();
    expect(onClose).toHaveBeenCalledTimes(1);
  });
});
