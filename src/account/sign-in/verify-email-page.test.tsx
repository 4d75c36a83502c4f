import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, createEvent, fireEvent, screen } from "@testing-library/react";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { readTicket, storeTicket } from "../forms/remembered-registration.ts";
import { createServices, openScreen, settle, toSession } from "../test-screen.tsx";
import { VerifyEmailPage } from "./verify-email-page.tsx";

const REQUEST = "/api/users/request-verification/";
const VERIFY = "/api/users/verify-email/";
const SENT = { success: true, message: "Verification code sent!", retry_after: 60 };
const VERIFIED = { success: true, message: "Verified", username: "ada", session: null };
/** Of the browser: it makes one where it has none. */
const TICKET = expect.stringMatching(/^[\w-]{43}$/);
const INVALID = new HttpError("Invalid", "invalid_verification_code", 400);

beforeEach(() => {
  jest.useFakeTimers();
  sessionStorage.clear();
  localStorage.clear();
});
afterEach(() => {
  jest.useRealTimers();
});

const toState = (user: object) => ({ user }) as AuthState;
const pass = (ms: number) => act(async () => void jest.advanceTimersByTime(ms));

async function open({
  query = "?email=ada%40example.org",
  answers = {},
  signedIn = null,
}: {
  query?: string;
  answers?: Record<string, unknown>;
  signedIn?: AuthState | null;
} = {}) {
  const fake = createServices({ [REQUEST]: SENT, [VERIFY]: VERIFIED, ...answers }, signedIn);
  const user = openScreen(<VerifyEmailPage services={fake.services} />, "verify-email", query);
  await settle();
  const getBoxes = () => screen.getAllByRole<HTMLInputElement>("textbox");
  const readBoxes = () =>
    getBoxes()
      .map((box) => box.value || "_")
      .join("");
  const type = async (keys: string) => {
    await user.keyboard(keys);
    await settle();
  };
  const sentTo = (path: string) => fake.calls.filter((call) => call.path === path).map(({ body }) => body);
  return { ...fake, user, getBoxes, readBoxes, type, sentTo };
}

test("where staff decide about new accounts, the right code leads to the page that says so", async () => {
  const { type, goTo } = await open({ answers: { [VERIFY]: { ...VERIFIED, is_waiting: true } } });
  await type("123456");
  expect(screen.getByText(/now waits for approval/).getAttribute("role")).toBe("status");
  await pass(1200);
  expect(goTo?.mock.calls).toEqual([["/register/waiting"]]);
});

describe("on load", () => {
  test("with an address in the query a code is asked for, and the first box has the focus", async () => {
    const { getBoxes, sentTo } = await open();
    expect(sentTo(REQUEST)).toEqual([{ email: "ada@example.org", ticket: TICKET }]);
    expect(document.activeElement).toBe(getBoxes()[0]);
    expect(screen.getByText("Verification code sent!")).toBeTruthy();
    expect(screen.getByRole("main").textContent).toContain("ada@example.org");
  });

  test("the address can be edited where it was registered", async () => {
    await open();
    expect(screen.getByRole("link", { name: /^Edit/ }).getAttribute("href")).toBe("/register");
  });

  test("a code that can't be sent is said, with when to try again", async () => {
    const error = new HttpError("x", "too_many_requests", 429, [], { retryAfterS: 120 });
    await open({ answers: { [REQUEST]: error } });
    expect(screen.getByText(/^Failed to send verification code/).textContent).toBe(
      "Failed to send verification code. Please try again. You can try again in 2 minutes.",
    );
  });

  test.each([
    ["", "Email is required"],
    ["ada@example", "Please enter a valid email address"],
  ])("with %j in place of an address asks for one", async (typed, message) => {
    const { user, type, sentTo } = await open({ query: "" });
    const field = screen.getByLabelText("Email");
    await user.click(field);
    if (typed) await type(typed);
    await user.click(screen.getByRole("button", { name: "Send code" }));
    expect(screen.getByText(message)).toBeTruthy();
    expect(sentTo(REQUEST)).toEqual([]);
    await user.clear(field);
    await user.type(field, "ada@example.org{Enter}");
    await settle();
    expect(sentTo(REQUEST)).toEqual([{ email: "ada@example.org", ticket: TICKET }]);
    expect(screen.getByRole("group", { name: "Verification code" })).toBeTruthy();
  });
});

describe("the boxes", () => {
  test("are one group of six, made for digits and for codes that a phone suggests", async () => {
    const { getBoxes } = await open();
    expect(screen.getByRole("group", { name: "Verification code" })).toBeTruthy();
    expect(getBoxes().map((box) => box.getAttribute("aria-label"))).toEqual(
      [1, 2, 3, 4, 5, 6].map((number) => `Digit ${number} of 6`),
    );
    expect(getBoxes().every((box) => box.inputMode === "numeric")).toBe(true);
    expect(getBoxes().map((box) => box.autocomplete)).toEqual([
      "one-time-code",
      ...Array.from({ length: 5 }, () => "off"),
    ]);
  });

  test("advance by themselves, and Backspace clears and moves back", async () => {
    const { getBoxes, readBoxes, type } = await open();
    await type("123");
    expect([readBoxes(), document.activeElement]).toEqual(["123___", getBoxes()[3]]);
    await type("{Backspace}");
    expect([readBoxes(), document.activeElement]).toEqual(["12____", getBoxes()[2]]);
    await type("{ArrowLeft}{Backspace}");
    expect([readBoxes(), document.activeElement]).toEqual(["1_____", getBoxes()[1]]);
  });

  test("are walked through by arrows, Home and End, and a digit replaces the one that stands there", async () => {
    const { getBoxes, readBoxes, type } = await open();
    await type("123{Home}9");
    expect([readBoxes(), document.activeElement]).toEqual(["923___", getBoxes()[1]]);
    await type("{End}");
    expect(document.activeElement).toBe(getBoxes()[5]);
    await type("{ArrowRight}{ArrowLeft}{ArrowLeft}{ArrowRight}");
    expect(document.activeElement).toBe(getBoxes()[4]);
  });

  test("take no letters, and say so until a digit comes", async () => {
    const { readBoxes, type } = await open();
    await type("1a");
    expect(readBoxes()).toBe("1_____");
    expect(screen.getByText("Verification code must contain only numbers")).toBeTruthy();
    await type("2");
    expect(screen.queryByText("Verification code must contain only numbers")).toBeNull();
  });

  test.each([
    ["from the first box on", 0, "123", "123___"],
    ["from the box on that has the focus", 2, "45", "__45__"],
    ["all of them with a whole code, from anywhere", 4, " 123-456 ", "123456"],
    ["no more than six", 0, "12345678", "123456"],
    ["all of them with the code in a sentence that has other digits", 0, "Code 2 of 3: 123 456.", "123456"],
  ])("are filled by pasting, %s", async (_how, index, text, expected) => {
    const { getBoxes, readBoxes, user } = await open({ answers: { [VERIFY]: () => new Promise(() => {}) } });
    await user.click(getBoxes()[index] as HTMLElement);
    await user.paste(text);
    await settle();
    expect(readBoxes()).toBe(expected);
  });

  test("are filled by a phone that puts the whole code into the first", async () => {
    const { getBoxes, readBoxes, sentTo } = await open();
    const first = getBoxes()[0] as HTMLInputElement;
    fireEvent(first, createEvent.input(first, { target: { value: "654321" } }));
    await settle();
    expect(readBoxes()).toBe("654321");
    expect(sentTo(VERIFY)).toEqual([{ email: "ada@example.org", otp_code: "654321", ticket: TICKET }]);
  });
});

describe("the code", () => {
  test("is sent with the sixth digit, and nothing can be changed while it is looked at", async () => {
    const { getBoxes, type, sentTo } = await open({ answers: { [VERIFY]: () => new Promise(() => {}) } });
    await type("12345");
    expect(sentTo(VERIFY)).toEqual([]);
    await type("6");
    expect(sentTo(VERIFY)).toEqual([{ email: "ada@example.org", otp_code: "123456", ticket: TICKET }]);
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Verifying…" }).disabled).toBe(true);
    expect(getBoxes().every((box) => box.readOnly)).toBe(true);
  });

  test("that is too short is not sent", async () => {
    const { type, user, sentTo, getBoxes } = await open();
    await type("123");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(document.activeElement).toBe(getBoxes()[3]);
    expect(screen.getByText("Verification code must be 6 digits")).toBeTruthy();
    expect(sentTo(VERIFY)).toEqual([]);
  });

  test("of the browser that registered is sent with its ticket, and signs in", async () => {
    storeTicket("ticket-1");
    const session = toSession();
    const { type, adopt, sentTo, goTo } = await open({ answers: { [VERIFY]: { ...VERIFIED, session } } });
    await type("123456");
    expect(sentTo(VERIFY)).toEqual([{ email: "ada@example.org", otp_code: "123456", ticket: "ticket-1" }]);
    expect(adopt).toHaveBeenCalledWith(session);
    expect(screen.getByText("Email verified successfully! Redirecting to profile...")).toBeTruthy();
    await pass(1199);
    expect(goTo).not.toHaveBeenCalled();
    await pass(1);
    expect(goTo?.mock.calls).toEqual([["/profile"]]);
    expect(readTicket()).toBeUndefined();
  });

  test("of a browser that registered more than 24 hours ago goes without its ticket", async () => {
    storeTicket("ticket-1");
    jest.setSystemTime(Date.now() + 24 * 60 * 60 * 1000);
    const { type, sentTo } = await open();
    await type("123456");
    expect(sentTo(VERIFY)).toEqual([{ email: "ada@example.org", otp_code: "123456", ticket: TICKET }]);
  });

  test("in any other browser says whose address it is, and leads to log in and from there to the profile", async () => {
    const { type, goTo } = await open();
    await type("123456");
    expect(
      screen.getByText("Email verified successfully for the account ada! Please log in to go on…"),
    ).toBeTruthy();
    await pass(1200);
    expect(goTo?.mock.calls).toEqual([["/login?redirect=%2Fprofile"]]);
  });

  test("of somebody who is signed in leads to the profile", async () => {
    const { type, goTo, answers, setPerson } = await open({
      signedIn: toState({ access_level: 0, is_email_verified: false }),
    });
    answers[VERIFY] = () => {
      setPerson(toState({ access_level: 1, is_email_verified: true }));
      return VERIFIED;
    };
    await type("123456");
    await pass(1200);
    expect(goTo?.mock.calls).toEqual([["/profile"]]);
  });

  test("that is wrong is reported, the boxes are emptied and the first has the focus", async () => {
    const { getBoxes, readBoxes, type } = await open({ answers: { [VERIFY]: INVALID } });
    await type("123456");
    const alert = screen.getByText("Invalid verification code. Please try again.").closest("[role=alert]");
    // Between the boxes and the button: a phone shows both at once.
    const button = screen.getByRole("button", { name: "Continue" });
    expect(alert?.compareDocumentPosition(button)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
    expect([readBoxes(), document.activeElement]).toEqual(["______", getBoxes()[0]]);
    expect(screen.getByText(/^Only the code of the newest mail counts/)).toBeTruthy();
  });

  test("that could not be looked at stays, to be sent again", async () => {
    const { readBoxes, type, user, sentTo } = await open({
      answers: { [VERIFY]: new HttpError("Failed to fetch", "network_error") },
    });
    await type("123456");
    expect(screen.getByText(/^The site can't be reached right now/).textContent).toContain(
      "The code may have been accepted all the same",
    );
    expect(readBoxes()).toBe("123456");
    await user.click(screen.getByRole("button", { name: "Continue" }));
    expect(sentTo(VERIFY)).toHaveLength(2);
  });
});

describe("another code", () => {
  const getResend = () => screen.getByRole<HTMLButtonElement>("button", { name: /^Resend code/ });

  test("can be asked for after the wait that the server named, counted down", async () => {
    await open({ answers: { [REQUEST]: { ...SENT, retry_after: 42 } } });
    expect([getResend().textContent, getResend().disabled]).toEqual(["Resend code in 42 s", true]);
    await pass(2000);
    expect(getResend().textContent).toBe("Resend code in 40 s");
    await pass(40_000);
    expect([getResend().textContent, getResend().disabled]).toEqual(["Resend code", false]);
  });

  test("is shown for 3 s, and the wait begins anew", async () => {
    const { user, sentTo } = await open();
    await pass(60_000);
    await user.click(getResend());
    await settle();
    expect(sentTo(REQUEST)).toHaveLength(2);
    expect(getResend().textContent).toBe("Resend code in 60 s");
    expect(screen.getByText("New verification code sent!")).toBeTruthy();
    await pass(2999);
    expect(screen.queryByText("New verification code sent!")).toBeTruthy();
    await pass(1);
    expect(screen.queryByText("New verification code sent!")).toBeNull();
  });

  test("that can't be sent is said", async () => {
    const { user, answers } = await open();
    await pass(60_000);
    answers[REQUEST] = new HttpError("Failed to fetch", "network_error");
    await user.click(getResend());
    await settle();
    expect(screen.getByText(/^The site can't be reached right now/)).toBeTruthy();
    expect(getResend().disabled).toBe(false);
  });

  test.each([
    ["the way to the profile", { ...VERIFIED, session: toSession() }, /^Email verified successfully!/],
    ["what was said of the code", INVALID, "Invalid verification code. Please try again."],
  ])("whose answer comes after that of the code leaves %s alone", async (_what, answer, text) => {
    const { user, answers, type, goTo } = await open({ answers: { [VERIFY]: answer } });
    await pass(60_000);
    let answerResend = () => {};
    answers[REQUEST] = () =>
      new Promise((resolve) => {
        answerResend = () => resolve(SENT);
      });
    await user.click(getResend());
    await type("123456");
    answerResend();
    await settle();
    expect(screen.getByText(text)).toBeTruthy();
    await pass(3000);
    expect(goTo?.mock.calls).toEqual(answer === INVALID ? [] : [["/profile"]]);
  });

  test("has to be waited for after a reload too", async () => {
    await open();
    await pass(20_000);
    document.body.replaceChildren();
    await open({ answers: { [REQUEST]: () => new Promise(() => {}) } });
    expect(getResend().textContent).toBe("Resend code in 40 s");
  });
});

describe("somebody who is signed in", () => {
  test("and has proven their address goes to the profile", async () => {
    const { goTo } = await open({ signedIn: toState({ access_level: 1, is_email_verified: true }) });
    expect(goTo?.mock.calls).toEqual([["/profile"]]);
  });

  test("and has not is asked for the code of their own address", async () => {
    const user = { access_level: 0, is_email_verified: false, email: "isil@example.org" };
    const { sentTo } = await open({ query: "", signedIn: toState(user) });
    await settle();
    expect(sentTo(REQUEST)).toEqual([{ email: "isil@example.org", ticket: TICKET }]);
  });
});

test("Back leads to where the person came from", async () => {
  const { user, goBack } = await open();
  await user.click(screen.getByRole("button", { name: "Back" }));
  expect(goBack?.mock.calls).toEqual([["/login"]]);
});

describe("the link of a mail", () => {
  const LINK = "#email=ada%40example.org&proof=secret-of-the-mail";

  test("asks for a press of the button alone, and for no mail", async () => {
    storeTicket("x".repeat(43));
    const { user, sentTo } = await open({ query: LINK });
    expect(screen.getByText("Press the button to confirm this address.")).toBeTruthy();
    expect(screen.queryByRole("group", { name: "Verification code" })).toBeNull();
    await user.click(screen.getByRole("button", { name: "Confirm this address" }));
    await settle();
    expect(sentTo(VERIFY)).toEqual([
      { email: "ada@example.org", proof: "secret-of-the-mail", ticket: "x".repeat(43) },
    ]);
    expect(sentTo(REQUEST)).toEqual([]);
  });

  test("elsewhere than where the account was registered leads to a new password at once", async () => {
    const reset = { email: "ada@example.org", proof: "another-secret" };
    const { user, goTo } = await open({ query: LINK, answers: { [VERIFY]: { ...VERIFIED, reset } } });
    await user.click(screen.getByRole("button", { name: "Confirm this address" }));
    await settle();
    expect(goTo?.mock.calls).toEqual([
      ["/forgot-password#email=ada%40example.org&proof=another-secret&confirmed=1"],
    ]);
  });

  test("that is over says so, and a code can be had in its place", async () => {
    const { user, sentTo } = await open({ query: LINK, answers: { [VERIFY]: INVALID } });
    await user.click(screen.getByRole("button", { name: "Confirm this address" }));
    await settle();
    expect(screen.getByRole("alert").textContent).toMatch(/^This link is not good any more/);
    await user.click(screen.getByRole("button", { name: "Use a code instead" }));
    await settle();
    expect(screen.getByRole("group", { name: "Verification code" })).toBeTruthy();
    expect(sentTo(REQUEST)).toEqual([{ email: "ada@example.org", ticket: TICKET }]);
  });

  test("is shown also to somebody who is signed in to another account", async () => {
    const signedIn = toState({ email: "isil@example.org", is_email_verified: true, access_level: 1 });
    const { goTo } = await open({ query: LINK, signedIn });
    expect(goTo).not.toHaveBeenCalled();
  });
});
