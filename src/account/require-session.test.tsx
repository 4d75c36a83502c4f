import { beforeEach, expect, jest, test } from "@jest/globals";
import { act, render, screen, waitFor } from "@testing-library/react";
import { useState } from "react";
import { MemoryRouter } from "react-router";
import type { AuthState } from "#providers/http/auth-state.ts";
import { UNKNOWN_ERROR } from "#providers/http/failure.ts";
import { HttpError } from "#providers/http/http.ts";
import type { Session, SessionEnd } from "#providers/http/session.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-en.ts";
import { PublicApp, toPage } from "../ui/site-layout.tsx";
import { AccountArea } from "./account-area.tsx";
import { texts as accountTexts } from "./account-texts-en.ts";
import { takeNotice } from "./arrival.ts";
import { RequireSession, useUnsavedInput } from "./require-session.tsx";

const REQUEST = toRequest("profile", { prefix: "/tr" });
/** Only what this test reads of a signed-in person. */
const ADA = { user: { username: "ada", access_level: 1 } } as AuthState;

/** A screen whose input is saved by its button. */
function Screen({ name, isUnsaved }: { name: string; isUnsaved: boolean }) {
  const [isHeld, setIsHeld] = useState(isUnsaved);
  useUnsavedInput(isHeld);
  return (
    <button type="button" onClick={() => setIsHeld(false)}>
      Hello {name}
    </button>
  );
}

/** Ends the session as a refused renewal does. */
let endSession: (why: SessionEnd, text?: string) => void;
/** This page has signed out. */
let hasSignedOut = false;
beforeEach(() => {
  hasSignedOut = false;
});

function open(restore: Session["restore"], isUnsaved = false) {
  const goTo = jest.fn<(address: string) => void>();
  const session = { restore, hasSignedOut: () => hasSignedOut };
  const listenForSessionEnd = (listener: typeof endSession) => {
    endSession = listener;
    return () => {};
  };
  const services = { getSession: () => session, goTo, listenForSessionEnd };
  const guarded = (
    <AccountArea texts={accountTexts}>
      <RequireSession services={services}>
        {({ user }) => <Screen name={user.username} isUnsaved={isUnsaved} />}
      </RequireSession>
    </AccountArea>
  );
  render(
    <MemoryRouter>
      <PublicApp page={toPage(REQUEST, texts)} screen={guarded} />
    </MemoryRouter>,
  );
  return goTo;
}

test("a signed-in person sees the screen", async () => {
  const goTo = open(async () => ADA);
  expect(screen.getByRole("status").textContent).toContain("finding out");
  expect(await screen.findByText("Hello ada")).toBeTruthy();
  expect(goTo).not.toHaveBeenCalled();
});

test("anybody else is sent to log in, in their language, and back to the whole address", async () => {
  window.history.replaceState(null, "", "/tr/profile?tab=1#x");
  const goTo = open(async () => null);
  await waitFor(() => expect(goTo).toHaveBeenCalledWith("/tr/login?redirect=%2Ftr%2Fprofile%3Ftab%3D1%23x"));
  expect(screen.queryByText(/Hello/)).toBeNull();
});

test("a session that is over when Back shows the screen again leads to log in", async () => {
  let auth: AuthState | null = ADA;
  const goTo = open(async () => auth);
  await screen.findByText("Hello ada");
  auth = null;
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await waitFor(() => expect(goTo).toHaveBeenCalled());
});

test("who signs out while the session is still asked for is not led elsewhere, and Back leads to log in", async () => {
  let answer: (auth: AuthState | null) => void = () => {};
  const asked = jest.fn(() => new Promise<AuthState | null>((resolve) => (answer = resolve)));
  const goTo = open(asked);
  hasSignedOut = true;
  await act(async () => answer(null));
  expect(goTo).not.toHaveBeenCalled();
  window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }));
  await act(async () => answer(null));
  expect(goTo).toHaveBeenCalledTimes(1);
});

test("a server that can't be asked is said, with the way to try again", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const goTo = open(async () => {
    throw new Error("offline");
  });
  expect(await screen.findByRole("alert")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  expect(goTo).not.toHaveBeenCalled();
  warn.mockRestore();
});

test.each([
  ["token_refresh_failed", 500, "JWT token refresh failed"],
  ["user_info_failed", 500, "Failed to fetch user info"],
  ["unknown", 503, "The site is being worked on right now"],
  ["network_error", 500, "The site can't be reached right now"],
])("a session that can't be confirmed says what failed: %s", async (code, status, text) => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  open(async () => {
    throw new HttpError(UNKNOWN_ERROR, code, status);
  });
  expect((await screen.findByRole("alert")).textContent).toContain(text);
  warn.mockRestore();
});

test("somebody whose address is not proven is led to prove it", async () => {
  const user = { username: "ada", email: "a+b@example.org", access_level: 0, is_email_verified: false };
  const goTo = open(async () => ({ user }) as AuthState);
  await waitFor(() => expect(goTo).toHaveBeenCalledWith("/tr/verify-email?email=a%2Bb%40example.org"));
  expect(screen.queryByText(/Hello/)).toBeNull();
});

test("a session that the server ends leads to log in, but not away from unsaved input", async () => {
  const goTo = await act(async () => open(async () => ADA, true));
  endSession("expired");
  expect(goTo).not.toHaveBeenCalled();
  expect(takeNotice()).toBeNull();
  expect(screen.getByText("Hello ada")).toBeTruthy();
  await setUpDrawnUser().click(screen.getByText("Hello ada"));
  endSession("expired");
  expect(goTo).toHaveBeenCalledTimes(1);
});

test.each([
  ["expired", undefined, "Your session has expired. Please log in again."],
  ["expired", "It wasn't used for 12 hours.", "It wasn't used for 12 hours."],
  ["elsewhere", undefined, null],
] as const)("a session that ended (%s, %j) is told on the log-in page: %j", async (why, text, told) => {
  open(async () => ADA);
  await screen.findByText("Hello ada");
  endSession(why, text);
  expect(takeNotice()).toBe(told);
});

test("why it ended is left for the dialog where unsaved input keeps the screen", async () => {
  await act(async () => open(async () => ADA, true));
  endSession("expired", "It wasn't used for 12 hours.");
  expect(takeNotice()).toBe("It wasn't used for 12 hours.");
});
