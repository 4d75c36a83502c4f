import "#test/browser-globals.ts";
import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { act, fireEvent, screen, waitFor } from "@testing-library/react";
import { type Http, HttpError, type RequestOptions } from "#providers/http/http.ts";
import { toAccountUser } from "#test/account-user.ts";
import { setUpDrawnUser } from "#test/drawn-user.ts";

// jsdom has no WebAuthn.
const startAuthentication = jest.fn<(options: unknown) => Promise<unknown>>();
jest.unstable_mockModule("@simplewebauthn/browser", () => ({ startAuthentication }));
const { confirmPerson, proveFactor, signInByPasskey } = await import("./identity.ts");

const LOGIN = { tokens: { access_token: "a", refresh_token: "r" }, user: toAccountUser() };
const PASSKEY = { id: "key" };
const cancelled = () => Object.assign(new Error("cancelled"), { name: "NotAllowedError" });

/** A refused log-in whose account has these factors. */
function toRefusal(has: { app?: boolean; codes?: boolean; passkey?: boolean }): HttpError {
  const second_factor = {
    ticket: "ticket",
    has_app: has.app ?? false,
    has_recovery_codes: has.codes ?? false,
    passkey_options: has.passkey ? { challenge: "c" } : null,
  };
  const code = "second_factor_required";
  return new HttpError("A second factor is needed.", code, 401, [], { answer: { code, second_factor } });
}

const GIVEN_UP = /^You are not logged in: .* Log in again/;
const wrong = (message = "This is not right.") => new HttpError(message, "invalid_second_factor", 400);

/** A back end that gives these answers one after the other; an error is thrown, a promise held. */
function createBackEnd(...answers: unknown[]) {
  const calls: { path: string; body: unknown }[] = [];
  const http = {
    async request(
      path: string,
      { body, schema }: RequestOptions & { schema: { parse(v: unknown): unknown } },
    ) {
      calls.push({ path, body });
      const answer = await answers.shift();
      if (answer instanceof Error) throw answer;
      return schema.parse(answer);
    },
  } as unknown as Pick<Http, "request">; // the overloads, of which this one is called
  return { http, calls };
}

/** What a promise came to, once it has. */
function follow<T>(promise: Promise<T>) {
  const outcome: { value?: T; error?: unknown } = {};
  const settled = promise.then(
    (value) => void Object.assign(outcome, { value }),
    (error: unknown) => void Object.assign(outcome, { error }),
  );
  return { outcome, settled };
}

beforeEach(() => {
  document.documentElement.lang = "en";
  startAuthentication.mockReset().mockResolvedValue(PASSKEY);
  // jsdom has dialogs that don't open.
  HTMLDialogElement.prototype.showModal = function show() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
});
afterEach(() => expect(document.querySelector("dialog")).toBeNull());

async function prove(refusal: unknown, ...answers: unknown[]) {
  const backEnd = createBackEnd(...answers);
  let followed: ReturnType<typeof follow> | undefined;
  await act(async () => {
    followed = follow(proveFactor(backEnd.http, refusal));
  });
  if (!followed) throw new Error("act() did not run");
  return { user: setUpDrawnUser(), ...backEnd, ...followed };
}

const cancel = async (user: ReturnType<typeof setUpDrawnUser>, name = "Cancel") =>
  user.click(screen.getByRole("button", { name }));

describe("the second half of a log-in", () => {
  test("goes on with the app's code, and the dialog is gone", async () => {
    const { user, calls, outcome, settled } = await prove(toRefusal({ app: true }), LOGIN);
    const field = screen.getByLabelText("Code of your authenticator app");
    expect(screen.getByRole("dialog", { name: "Second factor" })).toBeTruthy();
    expect(document.activeElement).toBe(field);
    expect([field.getAttribute("autocomplete"), field.getAttribute("inputmode")]).toEqual([
      "one-time-code",
      "numeric",
    ]);
    expect(screen.queryByRole("button", { name: /passkey|recovery/ })).toBeNull();
    await user.type(field, "123456{Enter}");
    await settled;
    expect(calls).toEqual([
      { path: "/api/users/login/second-factor/", body: { ticket: "ticket", code: "123456" } },
    ]);
    expect(outcome.value).toEqual(LOGIN);
  });

  test("takes a recovery code in the app's place, and says where to turn without one", async () => {
    const { user, calls, settled } = await prove(toRefusal({ app: true, codes: true }), LOGIN);
    await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
    const field = screen.getByLabelText("Recovery code");
    expect(document.activeElement).toBe(field);
    expect(screen.getByRole("link", { name: "Write to the owner" }).getAttribute("href")).toBe("/en/contact");
    await user.click(screen.getByRole("button", { name: "Use the authenticator app" }));
    expect(screen.getByLabelText("Code of your authenticator app")).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
    await user.type(screen.getByLabelText("Recovery code"), "abcd-efgh{Enter}");
    await settled;
    expect(calls[0]?.body).toEqual({ ticket: "ticket", code: "abcd-efgh" });
  });

  test("is a button alone where there is only a passkey; given up there, it can be tried again", async () => {
    const { user, calls, settled } = await prove(toRefusal({ passkey: true }), LOGIN);
    expect(screen.queryByRole("textbox")).toBeNull();
    // Of codes, which they don't have, nothing is said.
    expect(screen.getByText(/^Don't you have it any more\?/)).toBeTruthy();
    startAuthentication.mockRejectedValueOnce(cancelled());
    await user.click(screen.getByRole("button", { name: "Use a passkey" }));
    expect(screen.getByRole("alert").textContent).toBe(
      "The passkey was not used: it was cancelled, or took too long.",
    );
    expect(document.activeElement).toBe(screen.getByRole("button", { name: "Use a passkey" }));
    expect(calls).toEqual([]);
    await user.click(screen.getByRole("button", { name: "Use a passkey" }));
    await settled;
    expect(startAuthentication).toHaveBeenLastCalledWith({ optionsJSON: { challenge: "c" } });
    expect(calls[0]?.body).toEqual({ ticket: "ticket", passkey: PASSKEY });
  });

  test.each([
    ["a wrong code", wrong(), "This is not right."],
    [
      "no connection",
      new HttpError("Failed", "network_error"),
      "The site could not be reached. Please try again.",
    ],
    [
      "one too many",
      new HttpError("Too many.", "too_many_logins", 429, [], { retryAfterS: 125 }),
      "Too many. You can try again in 3 minutes.",
    ],
    [
      "one too many for today",
      new HttpError("Too many.", "too_many_logins", 429, [], { retryAfterS: 82_560 }),
      "Too many. You can try again in 23 hours.",
    ],
    [
      "one too many for a moment",
      new HttpError("Too many.", "too_many_logins", 429, [], { retryAfterS: 5 }),
      "Too many. You can try again in 1 minute.",
    ],
    [
      "a field's fault",
      new HttpError("No", "x", 400, [{ field: "code", code: "x", message: "Six digits." }]),
      "Six digits.",
    ],
  ])("%s keeps what was typed, says so, and gives the focus back", async (_, error, text) => {
    const { user, settled } = await prove(toRefusal({ app: true }), error, LOGIN);
    const field = screen.getByLabelText<HTMLInputElement>("Code of your authenticator app");
    await user.type(field, "123456{Enter}");
    expect(screen.getByRole("alert").textContent).toBe(text);
    expect([field.value, field.getAttribute("aria-invalid")]).toEqual(["123456", "true"]);
    expect(field.getAttribute("aria-describedby")).toContain(screen.getByRole("alert").id);
    expect(document.activeElement).toBe(field);
    await user.click(screen.getByRole("button", { name: "Log in" }));
    await settled;
  });

  test("sends nothing where nothing was typed", async () => {
    const { user, calls } = await prove(toRefusal({ app: true }));
    await user.click(screen.getByRole("button", { name: "Log in" }));
    expect(screen.getByRole("alert").textContent).toBe("Please fill this in.");
    expect(document.activeElement).toBe(screen.getByLabelText("Code of your authenticator app"));
    expect(calls).toEqual([]);
    await cancel(user);
  });

  test("given up, says that nobody is logged in, and what to do", async () => {
    const { user, outcome, settled } = await prove(toRefusal({ app: true }));
    await cancel(user);
    await settled;
    expect(outcome.error).toMatchObject({
      code: "second_factor_required",
      message: expect.stringMatching(GIVEN_UP),
    });
  });

  test("that came too late closes, and its reason goes to the log-in form", async () => {
    const over = new HttpError("This log-in took too long.", "second_factor_over", 400);
    const { user, outcome, settled } = await prove(toRefusal({ app: true, passkey: true }), over);
    await user.type(screen.getByLabelText("Code of your authenticator app"), "123456{Enter}");
    await settled;
    expect(outcome.error).toBe(over);
  });

  test("Escape gives up as well, but not while an answer is on its way", async () => {
    let answer: (value: unknown) => void = () => {};
    const held = new Promise((resolve) => {
      answer = resolve;
    });
    const { user, calls, outcome, settled } = await prove(toRefusal({ app: true }), held);
    const pressEscape = () =>
      fireEvent(screen.getByRole("dialog"), new Event("cancel", { cancelable: true }));
    await user.type(screen.getByLabelText("Code of your authenticator app"), "123456{Enter}");
    const busy = screen.getByRole<HTMLButtonElement>("button", { name: "One moment…" });
    expect(busy.disabled).toBe(true);
    fireEvent.submit(busy.form as HTMLFormElement);
    pressEscape();
    expect([outcome, calls.length]).toEqual([{}, 1]);
    await act(async () => answer(wrong()));
    await act(async () => void pressEscape());
    await settled;
    expect(outcome.error).toMatchObject({ message: expect.stringMatching(GIVEN_UP) });
  });

  test("speaks the page's language", async () => {
    document.documentElement.lang = "tr";
    const { user } = await prove(toRefusal({ app: true, codes: true, passkey: true }));
    expect(screen.getByRole("dialog", { name: "İkinci doğrulama" })).toBeTruthy();
    expect(screen.getByRole("button", { name: "Geçiş anahtarı kullan" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Kurtarma kodu kullan" }));
    expect(screen.getByRole("link", { name: "Site sahibine yaz" }).getAttribute("href")).toBe("/tr/contact");
    await cancel(user, "Vazgeç");
  });

  test("another refusal comes back as it is, without a dialog", async () => {
    const other = new HttpError("Invalid", "invalid_credentials", 401, [], { answer: { code: "x" } });
    const { outcome, settled } = await prove(other);
    await settled;
    expect(outcome.error).toBe(other);
  });
});

describe("a log-in by passkey alone", () => {
  const OPTIONS = { options: { challenge: "c" }, ticket: "t" };

  test("brings the passkey to the ticket", async () => {
    const { http, calls } = createBackEnd(OPTIONS, LOGIN);
    expect(await signInByPasskey(http)).toEqual(LOGIN);
    expect(calls[1]).toEqual({ path: "/api/users/login/passkey/", body: { ticket: "t", passkey: PASSKEY } });
  });

  test.each([
    ["NotAllowedError", /cancelled, or took too long/],
    ["TypeError", /This browser has no passkeys/],
  ])("says in words what the browser says by %s", async (name, text) => {
    startAuthentication.mockRejectedValueOnce(Object.assign(new Error("no"), { name }));
    const { http } = createBackEnd(OPTIONS);
    await expect(signInByPasskey(http)).rejects.toMatchObject({
      code: "passkey_not_used",
      message: expect.stringMatching(text),
    });
  });
});

const STEP_UP = new HttpError("Is it you?", "step_up_required", 403);
const NO_FACTORS = { passkey: null, has_app: false, has_recovery_codes: false };

describe("before the own factors change", () => {
  const needsFactor = new HttpError("Is it you?", "step_up_required", 403, [], {
    answer: { needs_factor: true },
  });

  test("one of them is asked for in place of the password, and who has none any more reads what to do", async () => {
    const ways = {
      passkey: { options: { challenge: "c" }, ticket: "t" },
      has_app: true,
      has_recovery_codes: true,
    };
    const { http, calls } = createBackEnd(ways, { access: "new" });
    const user = setUpDrawnUser();
    let promise: ReturnType<typeof confirmPerson> = Promise.resolve(undefined);
    await act(async () => {
      promise = confirmPerson(http, "ada", needsFactor);
    });
    expect(screen.getByText(/^Before your second factors change, show one of them/)).toBeTruthy();
    expect(screen.queryByLabelText("Password")).toBeNull();
    expect(screen.getByRole("button", { name: "Use a passkey" })).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use a recovery code" }));
    expect(screen.getByText(/^Lost the codes as well\?/)).toBeTruthy();
    await user.click(screen.getByRole("button", { name: "Use the authenticator app" }));
    await user.type(screen.getByLabelText("Code of your authenticator app"), "123456{Enter}");
    expect(await promise).toBe("new");
    expect(calls.at(-1)).toEqual({ path: "/api/users/confirm/", body: { code: "123456" } });
  });
});

describe("whether it is still the same person", () => {
  test("is asked once for all calls that wait, with the name for password managers", async () => {
    const { http, calls } = createBackEnd(NO_FACTORS, wrong("Wrong password."), { access: "new" });
    const user = setUpDrawnUser();
    let both: Promise<unknown[]> = Promise.resolve([]);
    await act(async () => {
      both = Promise.all([confirmPerson(http, "ada", STEP_UP), confirmPerson(http, "ada", STEP_UP)]);
    });
    await waitFor(() => expect(screen.getAllByRole("dialog")).toHaveLength(1));
    expect(document.querySelector<HTMLInputElement>("[autocomplete=username]")?.value).toBe("ada");
    const field = screen.getByLabelText<HTMLInputElement>("Password");
    expect(field.type).toBe("password");
    await user.type(field, "secret{Enter}");
    expect(screen.getByRole("alert").textContent).toBe("Wrong password.");
    await user.click(screen.getByRole("button", { name: "Go on" }));
    expect(await both).toEqual(["new", "new"]);
    expect(calls.map(({ body }) => body)).toEqual([
      undefined,
      { password: "secret" },
      { password: "secret" },
    ]);
  });

  test("given up is nothing; the next call asks anew, and a passkey answers it", async () => {
    const asked = { ...NO_FACTORS, passkey: { options: { challenge: "c" }, ticket: "t" } };
    const { http, calls } = createBackEnd(NO_FACTORS, asked, { access: "new" });
    const user = setUpDrawnUser();
    const run = async () => {
      let promise: ReturnType<typeof confirmPerson> = Promise.resolve(undefined);
      await act(async () => {
        promise = confirmPerson(http, "ada", STEP_UP);
      });
      return { promise };
    };
    const first = await run();
    await cancel(user);
    expect(await first.promise).toBeUndefined();
    const second = await run();
    await user.click(screen.getByRole("button", { name: "Use a passkey" }));
    expect(await second.promise).toBe("new");
    expect(calls.at(-1)).toEqual({ path: "/api/users/confirm/", body: { ticket: "t", passkey: PASSKEY } });
  });

  test("the console's own copy of a refusal is understood as well", async () => {
    class OtherHttpError extends Error {
      override readonly name = "HttpError";
      readonly code = "validation_failed";
      readonly status = 400;
      readonly errors = [
        { field: "password", code: "wrong_password", message: "This is not your password." },
      ];
    }
    const { http } = createBackEnd(NO_FACTORS, new OtherHttpError("Validation failed"), { access: "new" });
    const user = setUpDrawnUser();
    let promise: ReturnType<typeof confirmPerson> = Promise.resolve(undefined);
    await act(async () => {
      promise = confirmPerson(http, "ada", STEP_UP);
    });
    await user.type(screen.getByLabelText("Password"), "secret{Enter}");
    expect(screen.getByRole("alert").textContent).toBe("This is not your password.");
    await user.click(screen.getByRole("button", { name: "Go on" }));
    expect(await promise).toBe("new");
  });

  test("a passkey that was refused is asked for again with a ticket of its own", async () => {
    const toAsked = (ticket: string) => ({
      ...NO_FACTORS,
      passkey: { options: { challenge: ticket }, ticket },
    });
    const { http, calls } = createBackEnd(toAsked("old"), wrong(), toAsked("new"), { access: "new" });
    const user = setUpDrawnUser();
    let promise: ReturnType<typeof confirmPerson> = Promise.resolve(undefined);
    await act(async () => {
      promise = confirmPerson(http, "ada", STEP_UP);
    });
    await user.click(screen.getByRole("button", { name: "Use a passkey" }));
    expect(screen.getByRole("alert").textContent).toBe("This is not right.");
    await user.click(screen.getByRole("button", { name: "Use a passkey" }));
    expect(await promise).toBe("new");
    expect(calls.map(({ body }) => body)).toEqual([
      undefined,
      { ticket: "old", passkey: PASSKEY },
      undefined,
      { ticket: "new", passkey: PASSKEY },
    ]);
  });
});
