import "#test/browser-globals.ts";
import { beforeEach, describe, expect, jest, test } from "@jest/globals";
import { fireEvent, screen, within } from "@testing-library/react";
import type { SecondFactorState } from "#contract/accounts/second-factor.ts";
import type { Answer, Routes } from "../test-profile.tsx";

// jsdom has no WebAuthn.
const startRegistration = jest.fn<(options: unknown) => Promise<unknown>>();
jest.unstable_mockModule("@simplewebauthn/browser", () => ({
  startRegistration,
  startAuthentication: () => Promise.reject(new Error("unused")),
}));
const { openProfile } = await import("../test-profile.tsx");

const BASE = "/api/users/second-factor/";
const KEY = {
  id: 7,
  name: "Phone",
  created_at: "2026-11-01T10:00:00Z",
  last_used_at: null,
  is_synced: false,
};
const CODES = ["abcd-efgh", "ijkl-mnop"];
const toState = (more: Partial<SecondFactorState> = {}): SecondFactorState => ({
  is_required: false,
  due_at: null,
  app_since: null,
  passkeys: [],
  recovery_codes_left: 0,
  can_use_passkeys: true,
  ...more,
});
const WITH_KEY = toState({ passkeys: [KEY], recovery_codes_left: 1 });
const changed = (state: SecondFactorState, recovery_codes: string[] | null = null): Answer => ({
  body: { state, recovery_codes },
});

async function open(state: SecondFactorState, routes: Routes = {}) {
  const page = openProfile({
    path: "/profile?tab=security",
    routes: { [`GET ${BASE}`]: () => ({ body: state }), ...routes },
  });
  await screen.findByRole("heading", { name: "Passkeys" });
  return page;
}
const getSummary = () => document.querySelector(".factor-summary");
const press = (page: Awaited<ReturnType<typeof open>>, name: string | RegExp) =>
  page.user.click(screen.getByRole("button", { name }));

beforeEach(() => {
  startRegistration.mockReset().mockResolvedValue({ id: "key" });
  jest.spyOn(console, "warn").mockImplementation(() => {});
});

describe("what the person has", () => {
  test("is loaded, and asked for again where it failed", async () => {
    let isDown = true;
    const page = openProfile({
      path: "/profile?tab=security",
      routes: { [`GET ${BASE}`]: () => (isDown ? { status: 500, body: {} } : { body: toState() }) },
    });
    expect((await screen.findByRole("alert")).textContent).toMatch(/could not be loaded/);
    isDown = false;
    await page.user.click(screen.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("You have none yet.")).toBeTruthy();
  });

  test.each([
    ["none", toState(), "off", /^○ You have none: your password alone logs in\.$/],
    [
      "owed",
      toState({ is_required: true, due_at: "2026-12-01T12:00:00Z" }),
      "owed",
      /Your access level needs one\. Without one the console closes for you on December 1, 2026/,
    ],
    [
      "overdue",
      toState({ is_required: true, due_at: "2026-11-19T12:00:00Z" }),
      "owed",
      /The console is closed for you until you add one/,
    ],
    ["one", WITH_KEY, "on", /^✓ Your password alone logs nobody in\.$/],
  ])("is said in a sentence: %s", async (_, state, mark, text) => {
    await open(state);
    expect(getSummary()?.getAttribute("data-state")).toBe(mark);
    expect(getSummary()?.textContent).toMatch(text);
  });

  test("an address where browsers have no passkeys says so, in the button's place", async () => {
    await open(toState({ can_use_passkeys: false }));
    expect(screen.queryByRole("button", { name: "Add a passkey" })).toBeNull();
    expect(screen.getByText(/they need HTTPS and a name/)).toBeTruthy();
  });
});

describe("a passkey", () => {
  test("is added, and the recovery codes are shown until the person says that they have kept them", async () => {
    const page = await open(toState(), {
      [`POST ${BASE}passkeys/options/`]: () => ({ body: { options: { challenge: "c" }, ticket: "t" } }),
      [`POST ${BASE}passkeys/`]: () => changed(WITH_KEY, CODES),
    });
    await press(page, "Add a passkey");
    expect(startRegistration).toHaveBeenCalledWith({ optionsJSON: { challenge: "c" } });
    expect(page.backEnd.sent(`POST ${BASE}passkeys/`)).toEqual([{ ticket: "t", passkey: { id: "key" } }]);
    const dialog = await screen.findByRole("dialog", { name: "Your recovery codes" });
    expect(
      within(dialog)
        .getAllByRole("listitem")
        .map(({ textContent }) => textContent),
    ).toEqual(CODES);
    // Escape, by which other dialogs close.
    fireEvent(dialog, new Event("cancel", { cancelable: true }));
    expect(screen.getByText(CODES[0] ?? "")).toBeTruthy();
    await press(page, "I have kept them");
    expect(screen.queryByText(CODES[0] ?? "")).toBeNull();
    expect(getSummary()?.getAttribute("data-state")).toBe("on");
    expect(screen.getByText("1 code is left.")).toBeTruthy();
  });

  test.each([
    ["NotAllowedError", /cancelled, or took too long/],
    ["InvalidStateError", /holds a passkey for this account already/],
    ["NotSupportedError", /This browser has no passkeys/],
  ])(
    "isn't added where the browser says %s, which is said in words; it can be tried again",
    async (name, text) => {
      startRegistration.mockRejectedValueOnce(Object.assign(new Error("no"), { name }));
      const page = await open(toState(), {
        [`POST ${BASE}passkeys/options/`]: () => ({ body: { options: {}, ticket: "t" } }),
      });
      await press(page, "Add a passkey");
      expect((await screen.findByRole("alert")).textContent).toMatch(text);
      const button = screen.getByRole<HTMLButtonElement>("button", { name: "Add a passkey" });
      expect([button.disabled, document.activeElement === button]).toEqual([false, true]);
    },
  );

  test("gets another name; an empty one, and a refused one, stay in the form", async () => {
    const answers: Answer[] = [
      { status: 503, body: {} },
      { body: { ...WITH_KEY, passkeys: [{ ...KEY, name: "Key at home" }] } },
    ];
    const route = `PATCH ${BASE}passkeys/7/`;
    const page = await open(WITH_KEY, { [route]: () => answers.shift() ?? { status: 404 } });
    await press(page, "Rename: Phone");
    const field = screen.getByLabelText<HTMLInputElement>("Name");
    await page.user.clear(field);
    await press(page, "Save");
    expect(page.backEnd.sent(route)).toEqual([]);
    expect(screen.getByText("Please fill this in.")).toBeTruthy();
    await page.user.type(field, "Key at home");
    await press(page, "Save");
    expect(field.value).toBe("Key at home");
    await press(page, "Save");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(screen.getByRole("button", { name: "Rename: Key at home" })).toBeTruthy();
  });

  test("that is the last factor says what goes with it, and the focus stays on the page", async () => {
    const route = `DELETE ${BASE}passkeys/7/`;
    const page = await open(WITH_KEY, { [route]: () => changed(toState()) });
    await press(page, "Take away: Phone");
    const dialog = screen.getByRole("dialog", { name: "Take Phone away?" });
    expect(dialog.textContent).toContain("your password alone will log in then");
    await page.user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(page.backEnd.sent(route)).toEqual([]);
    await press(page, "Take away: Phone");
    await press(page, "Take away");
    expect(screen.getByText("You have none yet.")).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Passkeys");
  });

  test("that is the last one of a level that needs one is not said to go", async () => {
    const page = await open(toState({ ...WITH_KEY, is_required: true }));
    await press(page, "Take away: Phone");
    const { textContent } = screen.getByRole("dialog");
    expect(textContent).toContain("your access level needs one: add another one first");
    expect(textContent).not.toContain("your password alone will log in then");
  });

  test("that may not go stays, and the dialog says why", async () => {
    const refused = {
      status: 409,
      body: { code: "second_factor_needed", message: "Add another one first." },
    };
    const page = await open(toState({ ...WITH_KEY, app_since: "2026-11-01T10:00:00Z" }), {
      [`DELETE ${BASE}passkeys/7/`]: () => refused,
    });
    await press(page, "Take away: Phone");
    const dialog = screen.getByRole("dialog");
    expect(dialog.textContent).not.toContain("your password alone will log in then");
    await page.user.click(within(dialog).getByRole("button", { name: "Take away" }));
    expect(within(dialog).getByRole("alert").textContent).toContain("Add another one first.");
    await page.user.click(within(dialog).getByRole("button", { name: "Cancel" }));
    expect(screen.getByText("Phone")).toBeTruthy();
  });
});

describe("an authenticator app", () => {
  const SECRET = { secret: "ABCDEFGHIJKL", uri: "otpauth://totp/x?secret=ABCDEFGHIJKL" };

  test("is set up by QR code or key; a wrong code stays, and the right one counts", async () => {
    const fault = { field: "code", code: "wrong_app_code", message: "This is not its code." };
    const answers: Answer[] = [
      { status: 400, body: { code: "validation_failed", message: "No", errors: [fault] } },
      changed(toState({ app_since: "2026-11-20T12:00:00Z", recovery_codes_left: 2 }), CODES),
    ];
    const page = await open(toState(), {
      [`POST ${BASE}app/`]: () => ({ body: SECRET }),
      [`POST ${BASE}app/confirm/`]: () => answers.shift() ?? { status: 404 },
    });
    await press(page, "Set up an app");
    expect((await screen.findByRole<HTMLImageElement>("img", { name: "QR code for the app" })).src).toMatch(
      /^data:image\/svg/,
    );
    expect(screen.getByText("ABCD EFGH IJKL")).toBeTruthy();
    const field = screen.getByLabelText<HTMLInputElement>(/Type the code/);
    await page.user.type(field, "000000{Enter}");
    expect(screen.getByText("This is not its code.")).toBeTruthy();
    expect(field.value).toBe("000000");
    await page.user.clear(field);
    await page.user.type(field, "123456{Enter}");
    expect(page.backEnd.sent(`POST ${BASE}app/confirm/`).at(-1)).toEqual({ code: "123456" });
    await screen.findByRole("dialog", { name: "Your recovery codes" });
    // The button that has opened all this is gone.
    await press(page, "I have kept them");
    expect(screen.queryByRole("dialog")).toBeNull();
    expect(document.activeElement?.textContent).toBe("Authenticator app");
  });

  test("that is not set up after all leaves the focus with its button", async () => {
    const page = await open(toState(), { [`POST ${BASE}app/`]: () => ({ body: SECRET }) });
    await press(page, "Set up an app");
    await screen.findByText("ABCD EFGH IJKL");
    await press(page, "Cancel");
    expect(document.activeElement).not.toBe(screen.getByRole("heading", { name: "Authenticator app" }));
  });

  test("whose secret doesn't come can be asked for again, or left", async () => {
    let isDown = true;
    const page = await open(toState(), {
      [`POST ${BASE}app/`]: () => (isDown ? { status: 500, body: {} } : { body: SECRET }),
    });
    await press(page, "Set up an app");
    const retry = await screen.findByRole("button", { name: "Try again" });
    isDown = false;
    await page.user.click(retry);
    expect(await screen.findByText("ABCD EFGH IJKL")).toBeTruthy();
    await press(page, "Cancel");
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test("is taken away", async () => {
    const page = await open(toState({ app_since: "2026-11-01T10:00:00Z" }), {
      [`DELETE ${BASE}app/`]: () => changed(toState()),
    });
    await press(page, "Take away: Authenticator app");
    await page.user.click(within(screen.getByRole("dialog")).getByRole("button", { name: "Take away" }));
    expect(screen.getByRole("button", { name: "Set up an app" })).toBeTruthy();
    expect(document.activeElement?.textContent).toBe("Authenticator app");
  });
});

test("new recovery codes are made after a question; a clipboard that refuses is said", async () => {
  const page = await open(WITH_KEY, { [`POST ${BASE}recovery-codes/`]: () => changed(WITH_KEY, CODES) });
  await press(page, "New recovery codes");
  const dialog = screen.getByRole("dialog", { name: "Make new recovery codes?" });
  await page.user.click(within(dialog).getByRole("button", { name: "New recovery codes" }));
  await screen.findByRole("dialog", { name: "Your recovery codes" });
  const written = jest.spyOn(navigator.clipboard, "writeText").mockRejectedValueOnce(new Error("denied"));
  await press(page, "Copy");
  expect(screen.getByText(/They could not be copied/).getAttribute("role")).toBe("alert");
  await press(page, "Copy");
  expect(written).toHaveBeenLastCalledWith("abcd-efgh\nijkl-mnop\n");
  expect(screen.getByText("Copied").getAttribute("role")).toBe("status");
  expect(screen.queryByText(/They could not be copied/)).toBeNull();
});
