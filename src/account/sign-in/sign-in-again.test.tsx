import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createEvent, fireEvent, screen } from "@testing-library/react";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { leaveNotice } from "../arrival.ts";
import { openScreen, settle } from "../test-screen.tsx";
import { SignInAgain } from "./sign-in-again.tsx";

const ADA = { user: { username: "ada" } } as AuthState;

beforeEach(() => {
  // jsdom has no modal dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});

async function open(signIn: Session["signIn"]) {
  const onSignedIn = jest.fn<(state: AuthState) => void>();
  const onCancel = jest.fn<() => void>();
  const user = openScreen(
    <SignInAgain
      username="ada"
      getSession={() => ({ signIn })}
      onSignedIn={onSignedIn}
      onCancel={onCancel}
    />,
    "profile",
  );
  await settle();
  const submit = async (password: string) => {
    if (password) await user.type(screen.getByLabelText("Password"), password);
    await user.click(screen.getByRole("button", { name: "Log in" }));
    await settle();
  };
  return { user, onSignedIn, onCancel, submit };
}

test("the dialog says who signs in again", async () => {
  await open(async () => ADA);
  const dialog = screen.getByRole<HTMLDialogElement>("dialog", { name: "Log in again" });
  expect(dialog.open).toBe(true);
  expect(dialog.textContent).toContain("Username: ada");
  expect(dialog.textContent).toContain("Your session has expired. Please log in again. What you typed");
});

test("and why the session ended, where the server told", async () => {
  leaveNotice("This session ended because it wasn't used for 12 hours.");
  await open(async () => ADA);
  expect(screen.getByRole("dialog").textContent).toContain("wasn't used for 12 hours. What you typed");
});

test("the right password of that person goes on", async () => {
  const signIn = jest.fn<Session["signIn"]>().mockResolvedValue(ADA);
  const { submit, onSignedIn } = await open(signIn);
  await submit(" secret ");
  expect(signIn.mock.calls).toEqual([["ada", " secret "]]);
  expect(onSignedIn.mock.calls).toEqual([[ADA]]);
});

describe("a refusal", () => {
  test.each([
    [new HttpError("x", "x", 401), "Invalid username or password"],
    [
      new HttpError("x", "x", 429, [], { retryAfterS: 60 }),
      "Too many login attempts. Please try again later. You can try again in 1 minute.",
    ],
    [new HttpError("x", "x", 500), "User login failed"],
    [
      new HttpError("Failed to fetch", "network_error"),
      "The site can't be reached right now. Check your connection and try again.",
    ],
  ])("%s is shown, and can be tried again", async (error, text) => {
    const { submit, onSignedIn } = await open(async () => {
      throw error;
    });
    await submit("wrong");
    expect(screen.getByRole("alert").textContent).toBe(text);
    expect(onSignedIn).not.toHaveBeenCalled();
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Log in" }).disabled).toBe(false);
  });

  test("of an empty password asks nobody", async () => {
    const signIn = jest.fn<Session["signIn"]>();
    const { submit } = await open(signIn);
    await submit("");
    expect(screen.getByText("Password is required")).toBeTruthy();
    expect(signIn).not.toHaveBeenCalled();
  });
});

test("Escape and the button leave it to the screen, but not while the call is under way", async () => {
  const { user, onCancel, submit } = await open(() => new Promise(() => {}));
  const dialog = screen.getByRole("dialog");
  const pressEscape = () => fireEvent(dialog, createEvent("cancel", dialog, { cancelable: true }));
  pressEscape();
  await user.click(screen.getByRole("button", { name: "Not now" }));
  expect(onCancel).toHaveBeenCalledTimes(2);
  await submit("secret");
  pressEscape();
  expect(onCancel).toHaveBeenCalledTimes(2);
});
