import { expect, jest, test } from "@jest/globals";
import { render, screen } from "@testing-library/react";
import { App } from "antd";
import { I18nextProvider } from "react-i18next";
import { createMemoryRouter, RouterProvider } from "react-router";
import { createI18n } from "#providers/i18n.ts";
import { fillInBrowser } from "../test-admin.tsx";
import { loadFile } from "./missing-file.ts";
import { MissingOverlay } from "./missing-part.tsx";
import { ScreenError } from "./screen-error.tsx";

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
