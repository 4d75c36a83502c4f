import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, screen, waitFor, within } from "@testing-library/react";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { createServices, openScreen, settle } from "../test-screen.tsx";
import { RegisterPage } from "./register-page.tsx";

const PATH = "/api/users/register/";
const ANSWER = {
  success: true,
  message: "Registration successful. A code is on its way.",
  email: "ada@example.org",
  ticket: "ticket-1",
  retry_after: 60,
};

beforeEach(() => {
  sessionStorage.clear();
  localStorage.clear();
});

function open(answer: unknown = ANSWER, signedIn: AuthState | null = null, query = "") {
  const fake = createServices({ [PATH]: answer }, signedIn);
  const user = openScreen(<RegisterPage services={fake.services} />, "register", query);
  const fields = {
    username: screen.getByLabelText<HTMLInputElement>("Username"),
    email: screen.getByLabelText<HTMLInputElement>("Email"),
    password: screen.getByLabelText<HTMLInputElement>("Password"),
    password_confirm: screen.getByLabelText<HTMLInputElement>("Confirm password"),
    terms: screen.getByLabelText<HTMLInputElement>("I accept the terms"),
  };
  const button = screen.getByRole<HTMLButtonElement>("button", { name: "Register" });
  const fill = async (values: Partial<Record<keyof typeof fields, string>> = {}) => {
    const all = {
      username: "ada_l",
      email: "ada@example.org",
      password: "Correct1horse",
      password_confirm: "Correct1horse",
      ...values,
    };
    for (const [name, value] of Object.entries(all))
      if (value) await user.type(fields[name as keyof typeof fields], value);
    if (values.terms !== "") await user.click(fields.terms);
  };
  return { ...fake, user, fields, button, fill };
}

const describedBy = (field: HTMLElement) =>
  (field.getAttribute("aria-describedby") ?? "")
    .split(" ")
    .map((id) => document.getElementById(id)?.textContent)
    .join(" ");

describe("the button", () => {
  test.each([
    ["all is right", {}, false],
    ["the username is missing", { username: "" }, true],
    ["the username is too short", { username: "ab" }, true],
    ["the address has no form", { email: "ada@example" }, true],
    ["the password is too short", { password: "correc1", password_confirm: "correc1" }, true],
    ["the passwords differ", { password_confirm: "Correct1house" }, true],
    ["the terms are not accepted", { terms: "" }, true],
  ])("when %s is disabled: %j %j", async (_case, values, isDisabled) => {
    const { fill, button } = open();
    expect(button.disabled).toBe(true);
    await fill(values);
    expect(button.disabled).toBe(isDisabled);
  });
});

describe("a field that is left", () => {
  test.each([
    ["username", "", "Username is required"],
    ["username", "ab", "Use at least 3 characters"],
    ["username", "a".repeat(31), "Use at most 30 characters"],
    ["username", "ışıl", "Use letters (A to Z), digits and underscores only"],
    ["email", "", "Email is required"],
    ["email", "a..b@example.org", "Please enter a valid email address"],
    ["password", "", "Password is required"],
    ["password", "Ab1", "Use at least 8 characters"],
    ["password", "abcdefg", "Use at least 8 characters"],
    ["password_confirm", "", "Please enter the password once more"],
    ["password_confirm", "x", "The two passwords are not the same"],
  ] as const)("%s with %j says what is wrong until something is typed", async (name, value, message) => {
    const { user, fields } = open();
    const field = fields[name];
    await user.click(field);
    if (value) await user.keyboard(value);
    await user.tab();
    expect(describedBy(field)).toContain(message);
    expect(field.getAttribute("aria-invalid")).toBe("true");
    await user.type(field, "q");
    expect(field.getAttribute("aria-invalid")).toBeNull();
  });

  test("the terms, left without a tick, say so", async () => {
    const { user, fields } = open();
    fields.terms.focus();
    await user.tab();
    expect(describedBy(fields.terms)).toContain("Please accept the terms to go on");
    await user.click(fields.terms);
    expect(fields.terms.getAttribute("aria-invalid")).toBeNull();
  });

  test("a repetition that differs is cured by changing the password too", async () => {
    const { user, fields, button, fill } = open();
    await fill({ password: "Correct1hors" });
    await user.tab();
    expect(describedBy(fields.password_confirm)).toContain("The two passwords are not the same");
    await user.type(fields.password, "e");
    expect(fields.password_confirm.getAttribute("aria-invalid")).toBeNull();
    expect(button.disabled).toBe(false);
  });
});

describe("while typing", () => {
  test("the username's length stands beside its limit, and a text over it says so", async () => {
    const { user, fields } = open();
    expect(screen.getByText("0/30 characters")).toBeTruthy();
    await user.type(fields.username, "a".repeat(30));
    expect(screen.getByText("30/30 characters")).toBeTruthy();
    await user.type(fields.username, "a");
    expect(screen.getByText(/Use at most 30 characters/)).toBeTruthy();
    expect(fields.username.value).toHaveLength(31);
  });

  test("what a field's error says is not said beside it too", async () => {
    const { user, fields } = open();
    await user.type(fields.email, "ada@example");
    await user.type(fields.password_confirm, "x");
    await user.tab();
    expect(screen.queryByText(/Not a whole email address yet/)).toBeNull();
    expect(screen.queryByText(/The passwords don't match yet/)).toBeNull();
  });

  test.each([
    ["abc", "Very Weak", 1],
    ["abcdefg", "Weak", 2],
    ["abcdefgh", "Medium", 3],
    ["Abcdefg1", "Strong", 4],
  ])("the password %s is %s, with %i bars", async (password, label, bars) => {
    const { user, fields } = open();
    expect(screen.queryByText(/Password strength/)).toBeNull();
    await user.type(fields.password, password);
    const status = screen.getByText(/Password strength/).closest("[role=status]");
    expect(status?.textContent).toBe(`Password strength: ${label}`);
    expect(document.querySelectorAll(".strength [data-filled]")).toHaveLength(bars);
  });

  test("the address says when it has the form of one", async () => {
    const { user, fields } = open();
    await user.type(fields.email, "ada@example");
    expect(screen.getByText(/Not a whole email address yet/)).toBeTruthy();
    await user.type(fields.email, ".org");
    expect(screen.getByText(/This has the form of an email address/)).toBeTruthy();
  });

  test("the repetition says whether it is the same", async () => {
    const { user, fields } = open();
    await user.type(fields.password, "Correct1");
    await user.type(fields.password_confirm, "Correct");
    expect(screen.getByText(/The passwords don't match yet/)).toBeTruthy();
    await user.type(fields.password_confirm, "1");
    expect(screen.getByText(/The passwords match/)).toBeTruthy();
  });

  test("each password can be looked at by itself", async () => {
    const { user, fields } = open();
    await user.click(screen.getByRole("button", { name: "Show: Confirm password" }));
    expect([fields.password.type, fields.password_confirm.type]).toEqual(["password", "text"]);
  });
});

test("password managers know what each field is", () => {
  const { fields } = open();
  const names = [fields.username, fields.email, fields.password, fields.password_confirm];
  expect(names.map((field) => field.autocomplete)).toEqual([
    "username",
    "email",
    "new-password",
    "new-password",
  ]);
});

test("the terms open in a new tab, so that the form stays", () => {
  open();
  const link = within(screen.getByRole("main")).getByRole("link", { name: /Read the terms/ });
  expect([link.getAttribute("href"), link.getAttribute("target")]).toEqual(["/terms", "_blank"]);
});

describe("sending", () => {
  test("shows the success message, then goes on to the code with the address", async () => {
    jest.useFakeTimers();
    const { user, fill, button, calls, open: goOn } = open();
    await fill({ email: " ada@example.org" });
    await user.click(button);
    expect(calls[0]?.body).toEqual({
      username: "ada_l",
      email: "ada@example.org",
      password: "Correct1horse",
      password_confirm: "Correct1horse",
      ticket: expect.stringMatching(/^[\w-]{43}$/),
    });
    await settle();
    expect(screen.getByText(ANSWER.message)).toBeTruthy();
    act(() => void jest.advanceTimersByTime(1199));
    expect(goOn).not.toHaveBeenCalled();
    act(() => void jest.advanceTimersByTime(1));
    expect(goOn?.mock.calls).toEqual([["/verify-email?email=ada%40example.org"]]);
    jest.useRealTimers();
  });

  test("the next registration of this browser gives the ticket of the one before back", async () => {
    const first = open();
    await first.fill();
    await first.user.click(first.button);
    await screen.findByText(ANSWER.message);
    document.body.replaceChildren();
    const second = open();
    await waitFor(() => expect(second.fields.username.value).toBe("ada_l"));
    await second.user.type(second.fields.password, "Correct1horse");
    await second.user.type(second.fields.password_confirm, "Correct1horse");
    await second.user.click(second.fields.terms);
    await second.user.click(second.button);
    expect(second.calls[0]?.body).toMatchObject({ ticket: "ticket-1" });
  });

  test("again after a lost answer carries the same ticket, so that it is the same registration", async () => {
    const { user, fill, button, calls, answers } = open(new HttpError("Failed to fetch", "network_error"));
    await fill();
    await user.click(button);
    await settle();
    answers[PATH] = ANSWER;
    await user.click(button);
    await screen.findByText(ANSWER.message);
    const tickets = calls.map(({ body }) => (body as { ticket: string }).ticket);
    expect(tickets).toHaveLength(2);
    expect(tickets[1]).toBe(tickets[0]);
  });

  test("is possible again when Back shows the page as it was left", async () => {
    const { user, fill, button } = open();
    await fill();
    await user.click(button);
    await screen.findByText(ANSWER.message);
    act(() => void window.dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true })));
    expect(screen.queryByText(ANSWER.message)).toBeNull();
    expect(button.disabled).toBe(false);
  });

  test("says that it is under way", async () => {
    const { user, fill, button } = open(() => new Promise(() => {}));
    await fill();
    await user.click(button);
    expect([button.disabled, button.textContent]).toEqual([true, "Registering…"]);
  });
});

describe("a refusal", () => {
  test("with field errors puts them under their fields, keeps what was typed and focuses the first", async () => {
    const errors = [{ field: "username", code: "username_taken", message: "This username is taken." }];
    const { user, fill, fields, button } = open(new HttpError("Validation failed", "x", 400, errors));
    await fill();
    await user.click(button);
    await settle();
    expect(describedBy(fields.username)).toContain("This username is taken.");
    expect(document.activeElement).toBe(fields.username);
    expect(fields.password.value).toBe("Correct1horse");
    expect(button.disabled).toBe(true);
    await user.type(fields.username, "2");
    expect(button.disabled).toBe(false);
  });

  test("of the password has no strength beside it, until another one is typed", async () => {
    const errors = [{ field: "password", code: "password_own_words", message: "This is your name." }];
    const { user, fill, fields, button } = open(new HttpError("Validation failed", "x", 400, errors));
    await fill();
    expect(screen.getByText(/Password strength/)).toBeTruthy();
    await user.click(button);
    await settle();
    expect(describedBy(fields.password)).toContain("This is your name.");
    expect(screen.queryByText(/Password strength/)).toBeNull();
    await user.type(fields.password, "2");
    expect(screen.getByText(/Password strength/)).toBeTruthy();
  });

  test.each([
    [
      "what the server says",
      new HttpError("Too many requests.", "x", 429, [], { retryAfterS: 30 }),
      "Too many requests. You can try again in 30 seconds.",
    ],
    ["the documented text", new HttpError("Unknown error occurred", "unknown"), "Registration failed"],
    [
      "that nothing can be reached",
      new HttpError("Failed to fetch", "network_error"),
      "The site can't be reached right now. Check your connection and try again.",
    ],
    [
      "that the site is being worked on",
      new HttpError("Unknown error occurred", "unknown", 502),
      "The site is being worked on right now. Please try again in a few minutes.",
    ],
  ])("without field errors is announced with %s", async (_what, error, text) => {
    const { user, fill, button } = open(error);
    await fill();
    await user.click(button);
    await settle();
    expect(screen.getByRole("alert").textContent).toBe(text);
    expect(document.activeElement).toBe(screen.getByRole("alert"));
  });
});

describe("somebody who is signed in already", () => {
  const toState = (user: object) => ({ user }) as AuthState;

  test("goes on as after a log-in", async () => {
    const { goTo } = open(
      ANSWER,
      toState({ access_level: 10, is_email_verified: true }),
      "?redirect=%2Frooms",
    );
    await waitFor(() => expect(goTo?.mock.calls).toEqual([["/rooms"]]));
  });

  test("stays when the address is not proven: it may be wrong", async () => {
    const { goTo } = open(ANSWER, toState({ access_level: 0, is_email_verified: false }));
    await settle();
    expect(goTo).not.toHaveBeenCalled();
  });
});

test("username and address survive a reload, passwords are not kept", async () => {
  const { fill } = open();
  await fill();
  const kept = Object.values({ ...sessionStorage }).join();
  expect(kept).toContain("ada_l");
  expect(kept).not.toContain("Correct1horse");
});

test("the invitation of its address goes with the registration, also after the way back to edit", async () => {
  window.history.replaceState(null, "", "/register?invitation=good");
  const { fill, button, user, calls } = open();
  await fill();
  await user.click(button);
  window.history.replaceState(null, "", "/register");
  expect(calls).toMatchObject([{ path: PATH, body: { invitation: "good" } }]);
  expect(sessionStorage.getItem("invitation")).toBe("good");
});

test.each([
  ["approval", true],
  ["open", false],
] as const)("where registration is %s it is said before that staff decide: %s", (registration, isSaid) => {
  const { services } = createServices({});
  openScreen(<RegisterPage services={services} />, "register", "", { ...SITE_INFO, registration });
  expect(screen.queryByText(/approves each new account/) !== null).toBe(isSaid);
});
