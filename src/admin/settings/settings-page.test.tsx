import { afterEach, expect, test } from "@jest/globals";
import { act, cleanup, screen, waitFor, within } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import type { AuthState } from "#providers/http/auth-state.ts";
import { type FakeServer, renderAdmin, SOMEBODY } from "../test-admin.tsx";

const PROFILE = {
  first_name: "Ada",
  last_name: "Lovelace",
  admin_theme: "light",
  admin_language: "en",
  can_access_admin: true,
  is_superuser: false,
  last_admin_login: null,
  created_at: "2026-01-02T10:00:00Z",
  updated_at: "2026-01-03T10:00:00Z",
};
const ACCOUNT = {
  id: 1,
  username: "ada",
  email: "ada@example.org",
  display_name: "Ada Lovelace",
  access_level: 10,
  access_level_name: "Admin",
  is_email_verified: true,
  is_staff: true,
  profile: PROFILE,
};

/** The settings over a profile that keeps what is sent, or answers as a test says. */
async function openSettings(
  options: {
    lang?: "en" | "tr";
    answer?: (method: string, path: string) => ReturnType<FakeServer> | undefined;
  } = {},
) {
  const { answer, ...rest } = options;
  const sent: unknown[] = [];
  const listeners = new Set<() => void>();
  let stored: object = PROFILE;
  let state = SOMEBODY;
  await renderAdmin({
    address: "/admin/settings",
    models: [],
    ...rest,
    session: {
      subscribe(listener) {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
      getAuthState: () => state,
      signIn: async () => state,
      async restore() {
        // The part of the state that the console reads.
        state = { user: { profile: stored } } as AuthState;
        for (const listener of listeners) listener();
        return state;
      },
    },
    server({ method, url, body }) {
      if (url.pathname === "/api/users/profile/" && method === "PUT") sent.push(body);
      const own = answer?.(method, url.pathname);
      if (own) return own;
      if (url.pathname === "/api/users/me/") return { body: ACCOUNT };
      if (url.pathname !== "/api/users/profile/") return { status: 404, body: { message: "None" } };
      stored = { ...stored, ...(body as object) };
      return { body: { ...stored, username: "ada", email: "ada@example.org", pending_email: null } };
    },
  });
  return { user: userEvent.setup(), sent };
}

const theme = () => document.documentElement.dataset.theme;
const isRefused: (method: string) => ReturnType<FakeServer> | undefined = (method) =>
  method === "PUT" ? { status: 500, body: { message: "Not now" } } : undefined;

afterEach(() => {
  cleanup();
  localStorage.clear();
});

test("the profile is there to read, with the way to change the rest of it", async () => {
  await openSettings();
  const level = await screen.findByText("Admin (10)");
  const facts = level.closest("dl");
  expect(facts?.textContent).toContain("ada@example.org");
  expect(facts?.textContent).toContain("Last admin log-inNever");
  expect(facts?.textContent).toContain("SuperuserNo");
  const link = screen.getByRole("link", { name: "Change profile, password and pictures" });
  expect(link.getAttribute("href")).toBe("/profile");
});

test("a profile that can't be loaded says so and can be asked for again", async () => {
  let isDown = true;
  const { user } = await openSettings({
    answer: (_method, path) =>
      isDown && path === "/api/users/me/" ? { status: 403, body: { message: "No" } } : undefined,
  });
  const text = await screen.findByText("Failed to load profile");
  isDown = false;
  await user.click(within(text.parentElement ?? text).getByRole("button", { name: "Retry" }));
  expect(await screen.findByText("Admin (10)")).toBeTruthy();
});

test("a theme counts at once and is kept in the profile", async () => {
  const { user, sent } = await openSettings();
  await user.click(await screen.findByRole("radio", { name: "Dark" }));
  expect(theme()).toBe("dark");
  await waitFor(() => expect(sent).toEqual([{ admin_theme: "dark" }]));
  expect(await screen.findByText("Saved")).toBeTruthy();
  expect(theme()).toBe("dark");
});

test("a theme that isn't saved goes back to what it was, and says so", async () => {
  const { user } = await openSettings({ answer: isRefused });
  await user.click(await screen.findByRole("radio", { name: "Dark" }));
  expect(await screen.findByText("Not saved: the setting is as it was")).toBeTruthy();
  expect(theme()).toBe("light");
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Light" }).checked).toBe(true);
});

test("of several choices in a row the last one is what the profile ends with", async () => {
  const { user, sent } = await openSettings();
  const dark = await screen.findByRole("radio", { name: "Dark" });
  await user.click(dark);
  await user.click(screen.getByRole("radio", { name: "Auto" }));
  await waitFor(() => expect(sent.at(-1)).toEqual({ admin_theme: "auto" }));
  expect(await screen.findByText("Saved")).toBeTruthy();
  expect(screen.getByRole<HTMLInputElement>("radio", { name: "Auto" }).checked).toBe(true);
});

test("a language is spoken at once and kept in the profile; a failure brings the one before back", async () => {
  const { user, sent } = await openSettings();
  await user.click(await screen.findByRole("radio", { name: "Türkçe" }));
  expect(await screen.findByRole("heading", { name: "Tercihler" })).toBeTruthy();
  await waitFor(() => expect(sent).toEqual([{ admin_language: "tr" }]));
  cleanup();
  const again = await openSettings({ answer: isRefused });
  await again.user.click(await screen.findByRole("radio", { name: "Türkçe" }));
  expect(await screen.findByText("Not saved: the setting is as it was")).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Preferences" })).toBeTruthy();
});

test("the header's switch keeps the language in the profile too, and stays where that fails", async () => {
  const { user, sent } = await openSettings({ answer: isRefused });
  await user.click(await screen.findByRole("button", { name: /^TR/ }));
  await waitFor(() => expect(sent).toEqual([{ admin_language: "tr" }]));
  expect(await screen.findByText(/Dil profilinize kaydedilemedi/)).toBeTruthy();
  expect(screen.getByRole("heading", { name: "Tercihler" })).toBeTruthy();
});

test("single keys can be turned off here", async () => {
  const { user } = await openSettings();
  const toggle = await screen.findByRole("switch", { name: /Keyboard shortcuts/ });
  expect(toggle.getAttribute("aria-checked")).toBe("true");
  await user.click(toggle);
  expect(toggle.getAttribute("aria-checked")).toBe("false");
  await act(async () => {});
});
