import "#test/browser-globals.ts";
import { afterEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, render, screen } from "@testing-library/react";
import { I18nextProvider } from "react-i18next";
import { createI18n } from "#providers/i18n.ts";
import { RelativeTime, toRelativeText } from "./relative-time.tsx";

const NOW = new Date("2026-11-20T12:00:00Z").getTime();
const S = 1000;
const MIN = 60 * S;
const H = 60 * MIN;
const D = 24 * H;

afterEach(() => {
  cleanup();
  jest.useRealTimers();
});

test.each([
  [-5 * MIN, "Just now", "Az önce"],
  [MIN - 1, "Just now", "Az önce"],
  [MIN, "1 minute ago", "1 dakika önce"],
  [H - 1, "59 minutes ago", "59 dakika önce"],
  [H, "1 hour ago", "1 saat önce"],
  [D - 1, "23 hours ago", "23 saat önce"],
  [D, "1 day ago", "1 gün önce"],
  [7 * D - 1, "6 days ago", "6 gün önce"],
  [7 * D, "Nov 13, 2026", "13 Kas 2026"],
])("%d ms ago is said by the documented borders", (agoMs, en, tr) => {
  const moment = new Date(NOW - agoMs);
  expect(toRelativeText(moment, NOW, "en", createI18n("en").t)).toBe(en);
  expect(toRelativeText(moment, NOW, "tr", createI18n("tr").t)).toBe(tr);
});

test("a time on a page that stays open goes on", () => {
  jest.useFakeTimers({ now: NOW });
  render(
    <I18nextProvider i18n={createI18n("en")}>
      <RelativeTime moment={new Date(NOW).toISOString()} />
    </I18nextProvider>,
  );
  expect(screen.getByText("Just now")).toBeTruthy();
  act(() => jest.advanceTimersByTime(90 * S));
  expect(screen.getByText("1 minute ago")).toBeTruthy();
  cleanup();
  expect(jest.getTimerCount()).toBe(0);
});
