import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, cleanup, screen, waitFor } from "@testing-library/react";
import { Link } from "react-router";
import type { AuthState } from "#providers/http/auth-state.ts";
import { HttpError } from "#providers/http/http.ts";
import { takeNotice } from "../arrival.ts";
import { createServices, openScreen, settle, toSession } from "../test-screen.tsx";
import { ForgotPasswordPage } from "./forgot-password-page.tsx";

const FORGOT = "/api/users/password/forgot/";
const RESET = "/api/users/password/reset/";
const SENT = { success: true, message: "Sent", retry_after: 60 };
const CODE = "123456";
const PASSWORD = "Correct1horse";
/** Of the browser: it makes one. */
const TICKET = expect.stringMatching(/^[\w-]{43}$/);

beforeEach(() => sessionStorage.clear());
afterEach(() => {
  jest.useRealTimers();
});

async function open(answers: Record<string, unknown> = {}, query = "", signedIn: AuthState | null = null) {
  const session = toSession(1);
  const done = { success: true, message: "Done", session };
  const fake = createServices({ [FORGOT]: SENT, [RESET]: done, ...answers }, signedIn);
  const user = openScreen(<ForgotPasswordPage services={fake.services} />, "forgot-password", query);
  await settle();
  const press = async (name: string | RegExp) => {
    await user.click(screen.getByRole("button", { name }));
    await settle();
  };
  const askFor = async (email: string) => {
    await user.type(screen.getByLabelText("Email"), email);
    await press("Send code");
  };
  const fill = async ({ code = CODE, password = PASSWORD, repeated = PASSWORD } = {}) => {
    await user.click(screen.getByLabelText("Digit 1 of 6"));
    await user.keyboard(code);
    await user.type(screen.getByLabelText("New password"), password);
    await user.type(screen.getByLabelText("Confirm new password"), repeated);
  };
  const sentTo = (path: string) => fake.calls.filter((call) => call.path === path).map(({ body }) => body);
  return { ...fake, session, user, press, askFor, fill, sentTo };
}

const readBoxes = () =>
  [1, 2, 3, 4, 5, 6].map((n) => screen.getByLabelText<HTMLInputElement>(`Digit ${n} of 6`).value).join("");

describe("the address", () => {
  test.each([
    ["", "Email is required"],
    ["ada@example", "Please enter a valid email address"],
  ])("%j is not sent", async (email, message) => {
    const { user, press, sentTo } = await open();
    if (email) await user.type(screen.getByLabelText("Email"), email);
    await press("Send code");
    expect(screen.getByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Email"));
    expect(sentTo(FORGOT)).toEqual([]);
  });

  test("is asked for once; then come code and password, without saying whether it has an account", async () => {
    // The seconds that are left are shown exactly: time stands still.
    const clock = jest.spyOn(Date, "now").mockReturnValue(Date.now());
    const { askFor, sentTo } = await open();
    await askFor(" ada@example.org ");
    expect(sentTo(FORGOT)).toEqual([{ email: "ada@example.org", ticket: TICKET }]);
    expect(screen.getByText(/^If ada@example.org has an account, a 6-digit code is on its way/)).toBeTruthy();
    expect(document.activeElement).toBe(screen.getByLabelText("Digit 1 of 6"));
    expect(screen.getByRole<HTMLButtonElement>("button", { name: "Resend code in 60 s" }).disabled).toBe(
      true,
    );
    clock.mockRestore();
  });

  test("that the server refuses stays, with what it says", async () => {
    const error = new HttpError("Too many requests.", "too_many_requests", 429, [], { retryAfterS: 61 });
    const { askFor } = await open({ [FORGOT]: error });
    await askFor("ada@example.org");
    expect(screen.getByRole("alert").textContent).toBe("Too many requests. You can try again in 2 minutes.");
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.org");
  });

  test("can be changed on the way, and is still in the field", async () => {
    const { askFor, press } = await open();
    await askFor("ada@example.org");
    await press("Use another address");
    await waitFor(() =>
      expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.org"),
    );
  });
});

describe("the link of a mail", () => {
  test("brings the address; a plus in it stays one", async () => {
    const { press, sentTo } = await open({}, "#email=ada%2Bcv%40example.org");
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada+cv@example.org");
    await press("Send code");
    expect(sentTo(FORGOT)).toEqual([{ email: "ada+cv@example.org", ticket: TICKET }]);
  });

  const LINK = "#email=ada%40example.org&proof=secret-of-the-mail";

  test("with its secret asks for the new password alone, and is sent in place of a code", async () => {
    const { user, press, sentTo } = await open({}, LINK);
    expect(screen.getByRole("heading", { name: "Choose a new password" })).toBeTruthy();
    expect(screen.getByText("For the account of ada@example.org.")).toBeTruthy();
    expect(screen.queryByRole("group", { name: "Verification code" })).toBeNull();
    await user.type(screen.getByLabelText("New password"), PASSWORD);
    await user.type(screen.getByLabelText("Confirm new password"), PASSWORD);
    await press("Set new password");
    expect(sentTo(RESET)).toEqual([
      {
        email: "ada@example.org",
        otp_code: "",
        proof: "secret-of-the-mail",
        password: PASSWORD,
        password_confirm: PASSWORD,
      },
    ]);
    expect(sentTo(FORGOT)).toEqual([]);
  });

  test("from a confirmed address says why a password is needed", async () => {
    await open({}, `${LINK}&confirmed=1`);
    expect(screen.getByText(/^ada@example\.org is confirmed\. .* choose a password now/)).toBeTruthy();
  });

  test("that is over says so, and leads to the digits of another mail", async () => {
    const invalid = new HttpError("x", "invalid_verification_code", 400);
    const { user, press, sentTo } = await open({ [RESET]: invalid }, LINK);
    await user.type(screen.getByLabelText("New password"), PASSWORD);
    await user.type(screen.getByLabelText("Confirm new password"), PASSWORD);
    await press("Set new password");
    expect(screen.getByText(/^The link is not good any more/)).toBeTruthy();
    expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe(PASSWORD);
    expect(screen.getByRole("group", { name: "Verification code" })).toBeTruthy();
    await press("Resend code");
    expect(sentTo(FORGOT)).toEqual([{ email: "ada@example.org", ticket: TICKET }]);
  });

  test("brings the address also where this page is open already", async () => {
    const { services } = createServices({});
    const page = (
      <>
        <ForgotPasswordPage services={services} />
        <Link to="#email=ada%40example.org">A mail</Link>
      </>
    );
    const user = openScreen(page, "forgot-password");
    await user.click(screen.getByRole("link", { name: "A mail" }));
    await settle();
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("ada@example.org");
  });

  test("that brings no address leaves the field empty", async () => {
    await open({}, "#email=%3Cb%3E");
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("");
  });
});

describe("a reload", () => {
  test("goes on with the code", async () => {
    const { askFor } = await open();
    await askFor("ada@example.org");
    document.body.replaceChildren();
    await open({}, "#code");
    expect(screen.getByText(/^If ada@example.org has an account/)).toBeTruthy();
  });

  test("leads to another address too, whatever lies before it in the history", async () => {
    const { askFor } = await open();
    await askFor("ada@example.org");
    document.body.replaceChildren();
    const { press } = await open({}, "#code");
    await press("Use another address");
    expect(screen.getByLabelText("Email")).toBeTruthy();
  });

  test("in a tab that knows no address begins anew", async () => {
    await open({}, "#code");
    expect(screen.getByLabelText("Email")).toBeTruthy();
  });
});

test("the ticket of the browser that asked comes with the code, also after a reload of the form", async () => {
  const { askFor, sentTo } = await open();
  await askFor("ada@example.org");
  const [asked] = sentTo(FORGOT) as { ticket: string }[];
  cleanup();
  const again = await open({}, "#code");
  await again.fill();
  await again.press("Set new password");
  expect(again.sentTo(RESET)).toMatchObject([{ ticket: asked?.ticket }]);
});

describe("code and password", () => {
  test("are sent, the session is taken over, the end of all others is said, and it goes on", async () => {
    jest.useFakeTimers();
    const { askFor, fill, press, adopt, session, sentTo, goTo } = await open({}, "?redirect=%2Frooms");
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(sentTo(RESET)).toEqual([
      {
        email: "ada@example.org",
        otp_code: CODE,
        ticket: TICKET,
        password: PASSWORD,
        password_confirm: PASSWORD,
      },
    ]);
    expect(adopt).toHaveBeenCalledWith(session);
    expect(screen.getByRole("status").textContent).toContain("all other sessions were ended");
    expect(goTo).not.toHaveBeenCalled();
    act(() => void jest.advanceTimersByTime(4000));
    expect(goTo?.mock.calls).toEqual([["/rooms"]]);
    expect(Object.values({ ...sessionStorage }).join()).not.toContain(PASSWORD);
  });

  test("once set, a button leads on at once", async () => {
    const { askFor, fill, press, goTo } = await open();
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    await press("Continue");
    expect(goTo?.mock.calls).toEqual([["/dev"]]);
  });

  test("that are wrong are all shown, and nothing is sent", async () => {
    const { askFor, fill, press, sentTo } = await open();
    await askFor("ada@example.org");
    await fill({ code: "12", password: "short", repeated: "other" });
    await press("Set new password");
    expect(screen.getByText("Verification code must be 6 digits")).toBeTruthy();
    expect(screen.getByText("Use at least 8 characters")).toBeTruthy();
    expect(screen.getByText("The two passwords are not the same")).toBeTruthy();
    expect(sentTo(RESET)).toEqual([]);
  });

  test("the sixth digit leads to the password", async () => {
    const { askFor, user } = await open();
    await askFor("ada@example.org");
    await user.keyboard(CODE);
    expect(document.activeElement).toBe(screen.getByLabelText("New password"));
  });

  test("a code that is refused empties the boxes and leaves the passwords", async () => {
    const { askFor, fill, press } = await open({
      [RESET]: new HttpError("Invalid", "invalid_verification_code", 400),
    });
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(screen.getByText("Invalid verification code. Please try again.")).toBeTruthy();
    expect(screen.getByText(/^Only the code of the newest mail counts/)).toBeTruthy();
    expect(readBoxes()).toBe("");
    expect(document.activeElement).toBe(screen.getByLabelText("Digit 1 of 6"));
    expect(screen.getByLabelText<HTMLInputElement>("New password").value).toBe(PASSWORD);
  });

  test("a password that the server refuses says so under its field", async () => {
    const errors = [{ field: "password", code: "x", message: "Too common" }];
    const { askFor, fill, press } = await open({ [RESET]: new HttpError("x", "x", 400, errors) });
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(screen.getByText("Too common")).toBeTruthy();
    expect(readBoxes()).toBe(CODE);
  });

  test("a server that can't be asked loses nothing", async () => {
    const { askFor, fill, press } = await open({ [RESET]: new HttpError("Failed", "network_error") });
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(screen.getByText(/^The site can't be reached right now/)).toBeTruthy();
    expect(readBoxes()).toBe(CODE);
  });

  test("of an account that waits for a decision are set, and it is said what comes first", async () => {
    const { askFor, fill, press, goTo, adopt } = await open({
      [RESET]: new HttpError("It waits", "account_waiting", 403),
    });
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(goTo?.mock.calls).toEqual([["/register/waiting"]]);
    expect(adopt).not.toHaveBeenCalled();
  });

  test("another code can be asked for after the wait", async () => {
    jest.useFakeTimers();
    const { askFor, press, sentTo } = await open();
    await askFor("ada@example.org");
    await act(async () => void jest.advanceTimersByTime(60_000));
    await press("Resend code");
    expect(sentTo(FORGOT)).toHaveLength(2);
    expect(screen.getByText("New verification code sent!")).toBeTruthy();
    await act(async () => void jest.advanceTimersByTime(3000));
    expect(screen.queryByText("New verification code sent!")).toBeNull();
  });
});

test("somebody who is signed in may have forgotten the password too", async () => {
  const { goTo } = await open({}, "", { user: { access_level: 999 } } as AuthState);
  expect(screen.getByLabelText("Email")).toBeTruthy();
  expect(goTo).not.toHaveBeenCalled();
});

describe("the second half of the log-in that follows", () => {
  const asked = new HttpError("A second proof is asked for.", "second_factor_required", 401);
  const over = new HttpError("It took too long.", "second_factor_over", 400);
  test.each([
    ["given up", asked],
    ["over", over],
    ["without a connection", new TypeError("Failed to fetch")],
  ])("%s leads to the log-in, which says that the new password counts", async (_, outcome) => {
    const { askFor, fill, press, proveFactor, goTo } = await open({ [RESET]: asked }, "?redirect=%2Frooms");
    proveFactor.mockRejectedValue(outcome);
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(proveFactor.mock.calls).toEqual([[asked]]);
    expect(goTo?.mock.calls).toEqual([["/login?redirect=%2Frooms"]]);
    expect(takeNotice()).toMatch(/^Your new password is set and counts from now on/);
  });

  test("that goes well logs in", async () => {
    const { askFor, fill, press, proveFactor, goTo } = await open({ [RESET]: asked });
    proveFactor.mockResolvedValue({ user: toSession(1).user } as AuthState);
    await askFor("ada@example.org");
    await fill();
    await press("Set new password");
    expect(screen.getByText(/^Your new password is set. You are logged in here/)).toBeTruthy();
    expect(goTo?.mock.calls).toEqual([]);
  });
});
