import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { render, screen, waitFor } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import type { Session } from "#providers/http/session.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { toRequest } from "../../head/test-request.ts";
import { texts } from "../../public-texts-en.ts";
import { PublicApp, toPage } from "../../ui/site-layout.tsx";
import { AccountArea } from "../account-area.tsx";
import { texts as accountTexts } from "../account-texts-en.ts";
import { leaveNotice } from "../arrival.ts";
import { LoginPage } from "./login-page.tsx";

const REQUEST = toRequest("login");

/** Only what the page reads of a signed-in person. */
const personOf = (access_level: number) => ({ user: { access_level } }) as AuthState;

const signIn = jest.fn<Session["signIn"]>();
const restore = jest.fn<Session["restore"]>();
const goTo = jest.fn<(address: string) => void>();
// One object for all drawings: the page restores the session again when it changes.
const services = { getSession: () => ({ signIn, restore }) as unknown as Session, goTo };

beforeEach(() => {
  for (const mock of [signIn, restore, goTo]) mock.mockReset();
  restore.mockResolvedValue(null);
});

function open({ query = "", request = REQUEST } = {}) {
  render(
    <MemoryRouter initialEntries={[`/login${query}`]}>
      <PublicApp
        page={toPage(request, texts)}
        screen={
          <AccountArea texts={accountTexts}>
            <LoginPage services={services} />
          </AccountArea>
        }
      />
    </MemoryRouter>,
  );
  const user = setUpDrawnUser();
  const fields = {
    username: screen.getByLabelText("Username or email"),
    password: screen.getByLabelText("Password"),
  };
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Log in" });
  const fill = async (username: string, password: string) => {
    if (username) await user.type(fields.username, username);
    if (password) await user.type(fields.password, password);
  };
  return { user, fields, button, fill };
}

describe("the button", () => {
  test.each([
    ["", "", true],
    ["isil", "", true],
    ["  ", "secret", true],
    ["isil", "   ", true],
    ["isil", "secret", false],
  ])("with %j and %j is disabled: %j", async (username, password, isDisabled) => {
    const { fill, button } = open();
    await fill(username, password);
    expect(button.disabled).toBe(isDisabled);
  });

  test("is disabled and says so while the call is under way", async () => {
    signIn.mockReturnValue(new Promise(() => {}));
    const { fill, button, user } = open();
    await fill("isil", "secret");
    await user.click(button);
    expect(button.disabled).toBe(true);
    expect(button.textContent).toBe("Logging in…");
  });
});

describe("a field that is left blank", () => {
  test("says what is missing, tied to the field, until something is typed", async () => {
    const { user, fields } = open();
    await user.click(fields.username);
    await user.tab();
    const message = screen.getByText("Username is required");
    expect(fields.username.getAttribute("aria-describedby")).toBe(message.id);
    expect(fields.username.getAttribute("aria-invalid")).toBe("true");
    await user.type(fields.username, "i");
    expect(screen.queryByText("Username is required")).toBeNull();
  });
});

describe("after the right password of an account that may not log in", () => {
  async function refuse(code: string, message: string) {
    signIn.mockRejectedValue(new HttpError(message, code, 403));
    const { fill, button, user } = open({ request: { ...REQUEST, prefix: "/tr" } });
    await fill("isil", "secret");
    await user.click(button);
  }

  test("who waits for a decision is led to the page that says so", async () => {
    await refuse("account_waiting", "It waits");
    expect(goTo.mock.calls).toEqual([["/tr/register/waiting"]]);
  });

  test("who was refused reads it at the form", async () => {
    await refuse("account_refused", "Your registration was not approved.");
    expect(screen.getByRole("alert").textContent).toBe("Your registration was not approved.");
    expect(goTo.mock.calls).toEqual([]);
  });
});

test.each([
  ["second_factor_required", 401, "The second factor is missing. Log in again."],
  ["second_factor_over", 400, "This log-in took too long. Please log in again."],
  ["passkey_not_used", 400, "The passkey was not used."],
  ["passkey_unknown", 400, "This passkey isn't known here. Log in with your password."],
])("a log-in that ends by %s says in its own words what to do", async (code, status, text) => {
  signIn.mockRejectedValue(new HttpError(text, code, status));
  const { fill, button, user } = open();
  await fill("isil", "secret");
  await user.click(button);
  expect(screen.getByRole("alert").textContent).toBe(text);
});

test.each([
  ["open", true],
  ["approval", true],
  ["invitation", false],
  ["closed", false],
] as const)("where registration is %s the way to it is there: %s", (registration, isThere) => {
  open({ request: { ...REQUEST, site: { ...SITE_INFO, registration } } });
  expect(screen.queryByRole("link", { name: "Register" }) !== null).toBe(isThere);
});

describe("after success", () => {
  test.each([
    ["an admin", 10, "", "/admin"],
    ["a superuser", 999, "", "/admin"],
    ["anybody else", 9, "", "/dev"],
    ["anybody with a target", 1, "?redirect=%2Frooms%3Fa%3D1", "/rooms?a=1"],
    ["an admin with a target on another site", 10, "?redirect=%2F%2Fevil.example", "/admin"],
  ])("%s goes on by a document load", async (_who, level, query, target) => {
    signIn.mockResolvedValue(personOf(level));
    const { fill, button, user } = open({ query });
    await fill(" isil ", " secret ");
    await user.click(button);
    expect(signIn).toHaveBeenCalledWith("isil", " secret ");
    expect(goTo.mock.calls).toEqual([[target]]);
    expect(button.disabled).toBe(true);
    expect(screen.getByText("Login successful!").getAttribute("role")).toBe("status");
  });

  test("the hub keeps the language of the address", async () => {
    signIn.mockResolvedValue(personOf(1));
    const { fill, button, user } = open({ request: { ...REQUEST, prefix: "/tr" } });
    await fill("isil", "secret");
    await user.click(button);
    expect(goTo.mock.calls).toEqual([["/tr/dev"]]);
  });
});

describe("a session that another tab opens", () => {
  const emit = (oldValue: string | null) =>
    window.dispatchEvent(new StorageEvent("storage", { key: "refresh_token", oldValue, newValue: "new" }));

  test("leads on from here too", async () => {
    open();
    await waitFor(() => expect(restore).toHaveBeenCalledTimes(1));
    restore.mockResolvedValue(personOf(1));
    emit(null);
    await waitFor(() => expect(goTo.mock.calls).toEqual([["/dev"]]));
  });

  test("and only renews is none of this page's business", async () => {
    open();
    await waitFor(() => expect(restore).toHaveBeenCalledTimes(1));
    emit("old");
    expect(restore).toHaveBeenCalledTimes(1);
  });
});

describe("a refusal", () => {
  const refuse = async (error: unknown) => {
    signIn.mockRejectedValue(error);
    const page = open();
    await page.fill("isil", "secret");
    await page.user.click(page.button);
    return page;
  };

  test.each([
    [401, "Invalid username or password"],
    [403, "Insufficient permissions to access pages panel"],
    [429, "Too many login attempts. Please try again later."],
    [500, "Login failed. Please try again."],
    [400, "Login failed. Please try again."],
  ])("with %j is announced, takes the focus and keeps what was typed", async (status, message) => {
    const { fields, button } = await refuse(new HttpError("from the server", "x", status));
    const alert = screen.getByRole("alert");
    expect(alert.textContent).toBe(message);
    expect(document.activeElement).toBe(alert);
    expect([fields.username, fields.password].map((field) => (field as HTMLInputElement).value)).toEqual([
      "isil",
      "secret",
    ]);
    expect(button.disabled).toBe(false);
    expect(goTo).not.toHaveBeenCalled();
  });

  test("with field errors puts the server's texts under their fields and the focus into the first", async () => {
    const errors = [
      { field: "password", code: "x", message: "Too short" },
      { field: "username", code: "x", message: "Unknown letters" },
    ];
    const { fields } = await refuse(new HttpError("Validation failed", "validation_failed", 400, errors));
    const describedBy = (field: HTMLElement) =>
      document.getElementById(field.getAttribute("aria-describedby") ?? "")?.textContent;
    expect(describedBy(fields.username)).toBe("Unknown letters");
    expect(describedBy(fields.password)).toBe("Too short");
    expect(document.activeElement).toBe(fields.username);
    expect(screen.getByRole("alert").textContent).toBe("");
  });

  test("goes away when the person types on", async () => {
    const { user, fields } = await refuse(new HttpError("x", "x", 401));
    await user.type(fields.password, "s");
    expect(screen.getByRole("alert").textContent).toBe("");
  });
});

describe("on load", () => {
  test("a session that can be restored leads on in the same way", async () => {
    restore.mockResolvedValue(personOf(10));
    open({ query: "?redirect=%2Fadmin%2Fmodels" });
    await waitFor(() => expect(goTo).toHaveBeenCalledWith("/admin/models"));
  });

  test("a server that can't be asked leaves the form to be used", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    restore.mockRejectedValue(new HttpError("Failed to fetch", "network_error"));
    const { fill, button } = open();
    await fill("isil", "secret");
    expect(button.disabled).toBe(false);
    expect(screen.getByRole("alert").textContent).toBe("");
    warn.mockRestore();
  });
});

test("the password can be shown and hidden again, and is hidden when it is sent", async () => {
  signIn.mockReturnValue(new Promise(() => {}));
  const { user, fields, button, fill } = open();
  await fill("isil", "secret");
  await user.click(screen.getByRole("button", { name: "Show: Password" }));
  expect(fields.password.getAttribute("type")).toBe("text");
  await user.click(screen.getByRole("button", { name: "Hide: Password" }));
  expect(fields.password.getAttribute("type")).toBe("password");
  await user.click(screen.getByRole("button", { name: "Show: Password" }));
  await user.click(button);
  expect(fields.password.getAttribute("type")).toBe("password");
});

test("the password is hidden, may be pasted, and is known to password managers", async () => {
  signIn.mockReturnValue(new Promise(() => {}));
  const { user, fields, button, fill } = open();
  await fill("isil", "");
  expect(fields.password.getAttribute("type")).toBe("password");
  expect(fields.password.getAttribute("autocomplete")).toBe("current-password");
  await user.click(fields.password);
  await user.paste("a pasted password");
  await user.click(button);
  expect(signIn).toHaveBeenCalledWith("isil", "a pasted password");
});

test("caps lock is shown while somebody types a password", async () => {
  const { user, fields } = open();
  await user.click(fields.password);
  await user.keyboard("{CapsLock}a");
  expect(screen.getByText("Caps lock is on")).toBeTruthy();
  await user.tab();
  expect(screen.queryByText("Caps lock is on")).toBeNull();
});

test("somebody whose address is not proven is led to prove it, whatever the target", async () => {
  signIn.mockResolvedValue({
    user: { access_level: 0, is_email_verified: false, email: "a+b@example.org" },
  } as AuthState);
  const { fill, button, user } = open({ query: "?redirect=%2Frooms" });
  await fill("isil", "secret");
  await user.click(button);
  expect(goTo.mock.calls).toEqual([["/verify-email?email=a%2Bb%40example.org"]]);
});

test("the links to register and to a new password keep the target, and what was typed stays out of them", async () => {
  const { fill } = open({ query: "?redirect=%2Frooms" });
  await fill("isil", "");
  const addressOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");
  expect(addressOf("Register")).toBe("/register?redirect=%2Frooms");
  expect(addressOf("Forgot your password?")).toBe("/forgot-password?redirect=%2Frooms");
});

test("a refusal that says when to try again is shown with the time", async () => {
  signIn.mockRejectedValue(new HttpError("x", "too_many_logins", 429, [], { retryAfterS: 700 }));
  const { fill, button, user } = open();
  await fill("isil", "secret");
  await user.click(button);
  expect(screen.getByRole("alert").textContent).toBe(
    "Too many login attempts. Please try again later. You can try again in 12 minutes.",
  );
});

test("who was led here reads why, once and until the form is sent", async () => {
  leaveNotice("Your session has expired. Please log in again.");
  signIn.mockReturnValue(new Promise(() => {}));
  const { fill, button, user } = open();
  const alert = screen.getByRole("alert");
  expect(alert.textContent).toBe("Your session has expired. Please log in again.");
  await fill("isil", "secret");
  await user.click(button);
  expect(alert.textContent).toBe("");
  document.body.replaceChildren();
  open();
  expect(screen.getByRole("alert").textContent).toBe("");
});

test.each([
  ["open", true],
  ["invitation", false],
  ["closed", false],
] as const)("where registration is %s strangers are invited to register: %j", (registration, isInvited) => {
  open({ request: toRequest("login", { site: { ...SITE_INFO, registration } }) });
  expect(screen.queryByRole("link", { name: "Register" }) !== null).toBe(isInvited);
  expect(screen.getByRole("link", { name: "Forgot your password?" })).toBeTruthy();
});
