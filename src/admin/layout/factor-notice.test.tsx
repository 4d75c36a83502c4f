import { afterEach, beforeEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { AuthState } from "#providers/http/auth-state.ts";
import { renderAdmin, SOMEBODY } from "../test-admin.tsx";

const DUE = "2026-12-01T12:00:00.000Z";
const toState = (second_factor_due_at: string | null) =>
  ({ user: { ...SOMEBODY.user, second_factor_due_at } }) as AuthState; // the part that is read

/** The console of somebody who must have a second factor until `dueAt`, which a test may change. */
async function open(dueAt: string | null, lang: "en" | "tr" = "en") {
  let state = toState(dueAt);
  const listeners = new Set<() => void>();
  const session = {
    getAuthState: () => state,
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    signIn: async () => state,
    restore: async () => state,
  };
  await renderAdmin({ address: "/admin/models", lang, models: [], server: () => ({ status: 404 }), session });
  const setDue = (next: string | null) =>
    act(() => {
      state = toState(next);
      for (const listener of listeners) listener();
    });
  return { setDue };
}

const findNotice = () => document.querySelector<HTMLElement>(".factor-notice") as HTMLElement;

beforeEach(() => sessionStorage.clear());
afterEach(cleanup);

test.each([
  ["en", /by Dec 1, 2026/, "Set up a second factor"],
  ["tr", /1 Ara 2026/, "İkinci doğrulamayı kur"],
] as const)(
  "who owes a second factor reads politely until when, and where to set one up (%s)",
  async (lang, text, link) => {
    await open(DUE, lang);
    const notice = within(findNotice());
    expect(notice.getByRole("status").textContent).toMatch(text);
    expect(notice.getByRole("link", { name: link }).getAttribute("href")).toBe(
      `/${lang}/profile?tab=security`,
    );
  },
);

test("nobody else reads anything, and it goes once there is one", async () => {
  const { setDue } = await open(null);
  expect(findNotice()).toBeNull();
  setDue(DUE);
  expect(within(findNotice()).getByRole("link")).toBeTruthy();
  setDue(null);
  expect(findNotice()).toBeNull();
});

test("put away, it stays so in this tab until there is another date, and the focus stays on the page", async () => {
  await open(DUE);
  await userEvent.click(screen.getByRole("button", { name: "Put this notice away" }));
  expect(findNotice()).toBeNull();
  expect(document.activeElement?.id).toBe("main");
  cleanup();
  await open(DUE);
  expect(findNotice()).toBeNull();
  cleanup();
  const later = await open("2026-12-08T12:00:00.000Z");
  expect(findNotice().textContent).toContain("Dec 8");
  later.setDue(DUE);
  expect(findNotice()).toBeNull();
});
