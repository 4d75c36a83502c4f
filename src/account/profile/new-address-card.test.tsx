import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { screen, waitFor, within } from "@testing-library/react";
import type { OwnMailAddress } from "#contract/mail/address.ts";
import { storeResendMoment } from "../forms/remembered-registration.ts";
import { openProfile, type Routes, toProfile } from "./test-profile.tsx";

describe("new address card", () => {
  const PENDING = { pending_email: "new@example.com" };
  const VERIFY = "POST /api/users/verify-email/";
  const RESEND = "POST /api/users/request-verification/";
  const GET = "GET /api/users/profile/";
  const VERIFIED = { body: { success: true, message: "ok", username: "isil", session: null } };

  beforeEach(() => sessionStorage.clear());

  async function open(routes: Routes = {}) {
    const opened = openProfile({ profile: PENDING, routes });
    const card = within(await screen.findByRole("region", { name: "Confirm your new address" }));
    return { ...opened, card };
  }

  async function typeCode(user: Awaited<ReturnType<typeof open>>["user"], code: string) {
    await user.click(screen.getByLabelText("Digit 1 of 6"));
    await user.keyboard(code);
  }

  test("a new address that waits for its code is shown on the card, and the old one stays", async () => {
    const { card } = await open();
    expect(
      card.getByText(/We sent a code to new@example.com\. Your account keeps isil@example.com/),
    ).toBeTruthy();
    expect(screen.getByText("new@example.com waits to be confirmed")).toBeTruthy();
  });

  test("the sixth digit sends the code for that address; then the address is the new one", async () => {
    const opened = await open({
      [VERIFY]: () => {
        opened.backEnd.state.profile = toProfile({
          email: "new@example.com",
          updated_at: "2026-11-20T12:30:00Z",
        });
        return VERIFIED;
      },
    });
    await typeCode(opened.user, "123456");
    expect(await screen.findByText("Your new address is confirmed.")).toBeTruthy();
    expect(opened.backEnd.sent(VERIFY)).toEqual([{ email: "new@example.com", otp_code: "123456" }]);
    expect(screen.queryByRole("region", { name: "Confirm your new address" })).toBeNull();
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("new@example.com");
  });

  test("a wrong code is said, and the boxes are empty again with the focus in the first", async () => {
    const { user } = await open({
      [VERIFY]: () => ({
        status: 400,
        body: { detail: "Invalid verification code. Please try again.", code: "invalid_verification_code" },
      }),
    });
    await typeCode(user, "111111");
    expect(await screen.findByText("Invalid verification code. Please try again.")).toBeTruthy();
    const first = screen.getByLabelText<HTMLInputElement>("Digit 1 of 6");
    expect(first.value).toBe("");
    expect(document.activeElement).toBe(first);
    expect(screen.getByText(/^Only the code of the newest mail counts/)).toBeTruthy();
  });

  test("a code that was not looked at stays in the boxes, and can be sent again", async () => {
    const answers = [() => Promise.reject(new TypeError("Failed to fetch")), () => VERIFIED];
    const { user, backEnd } = await open({ [VERIFY]: () => answers.shift()?.() ?? {} });
    await typeCode(user, "123456");
    await screen.findByText(/can't be reached/);
    const boxes = screen.getAllByLabelText<HTMLInputElement>(/^Digit/);
    expect(boxes.map(({ value }) => value).join("")).toBe("123456");
    expect(document.activeElement).toBe(boxes[0]);
    await user.click(screen.getByRole("button", { name: "Confirm" }));
    expect(await screen.findByText("Your new address is confirmed.")).toBeTruthy();
    expect(backEnd.sent(VERIFY)).toHaveLength(2);
  });

  test("an accepted code is shown as one also when the profile can't be loaded after it", async () => {
    const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
    let isDown = false;
    const opened: Awaited<ReturnType<typeof open>> = await open({
      [VERIFY]: () => {
        isDown = true;
        return VERIFIED;
      },
      [GET]: () => (isDown ? { status: 500, body: {} } : { body: toProfile(PENDING) }),
    });
    await typeCode(opened.user, "123456");
    expect(await screen.findByText("Your new address is confirmed.")).toBeTruthy();
    await waitFor(() =>
      expect(screen.queryByRole("region", { name: "Confirm your new address" })).toBeNull(),
    );
    expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("new@example.com");
    expect(opened.backEnd.sent(VERIFY)).toHaveLength(1);
    warn.mockRestore();
  });

  describe("another code", () => {
    // The seconds that are left are shown exactly: time stands still.
    beforeEach(() => {
      const now = Date.now();
      jest.spyOn(Date, "now").mockReturnValue(now);
    });
    afterEach(() => {
      jest.restoreAllMocks();
    });

    test("can't be asked for within 60 seconds of the first, and a reload doesn't shorten that", async () => {
      const first = await open();
      const find = () => screen.getByRole<HTMLButtonElement>("button", { name: "Resend code in 60 s" });
      await waitFor(() => expect(find().disabled).toBe(true));
      first.unmount();
      openProfile({ profile: PENDING });
      await screen.findByRole("region", { name: "Confirm your new address" });
      await waitFor(() => expect(find().disabled).toBe(true));
    });

    test("is sent to the new address, and the wait is what the server says", async () => {
      const routes = { [RESEND]: () => ({ body: { success: true, message: "sent", retry_after: 42 } }) };
      storeResendMoment("change", PENDING.pending_email, Date.now() - 1);
      const { user, backEnd } = await open(routes);
      await user.click(await screen.findByRole("button", { name: "Resend code" }));
      expect(await screen.findByText("New verification code sent!")).toBeTruthy();
      expect(backEnd.sent(RESEND)).toEqual([{ email: "new@example.com" }]);
      expect(await screen.findByRole("button", { name: "Resend code in 42 s" })).toBeTruthy();
    });
  });

  test("keeping the old address takes the wish back", async () => {
    const { user, backEnd } = await open();
    await user.click(screen.getByRole("button", { name: "Keep the old address" }));
    expect(await screen.findByText("Your address stays as it is.")).toBeTruthy();
    expect(backEnd.sent("PUT /api/users/profile/")).toEqual([{ email: "isil@example.com" }]);
    expect(screen.queryByRole("region", { name: "Confirm your new address" })).toBeNull();
  });
});

describe("mail address", () => {
  const GET = "GET /api/users/mail-address/";
  const TRY = "POST /api/users/mail-address/try/";
  const RETURNED: OwnMailAddress = {
    email: "isil@example.com",
    problem: {
      state: "stopped",
      cause: "bounce",
      scope: "all",
      reason: "There is no such mailbox.",
      since: "2026-11-19T10:00:00Z",
    },
    can_try: true,
    tried_at: null,
    next_try_at: null,
  };
  const TRIED: OwnMailAddress = {
    ...RETURNED,
    problem: RETURNED.problem && { ...RETURNED.problem, state: "returned", scope: null },
    tried_at: "2026-11-20T12:00:00Z",
    next_try_at: "2026-11-20T13:00:00Z",
  };

  beforeEach(() => sessionStorage.clear());

  async function open(state: OwnMailAddress, routes: Routes = {}, name = /^Mail to you/) {
    const opened = openProfile({ routes: { [GET]: () => ({ body: state }), ...routes } });
    return { ...opened, card: within(await screen.findByRole("region", { name })) };
  }

  test("a person is shown that their mail comes back and why, and nothing while it arrives", async () => {
    const { card, unmount } = await open(RETURNED);
    expect(card.getByText("Mail to isil@example.com comes back: There is no such mailbox.")).toBeTruthy();
    expect(card.getByText(/nothing is sent there, no codes either/)).toBeTruthy();
    unmount();
    const { backEnd } = openProfile();
    await screen.findByLabelText("Email");
    await waitFor(() => expect(backEnd.sent(GET).length).toBeGreaterThan(0));
    expect(screen.queryByText(/comes back/)).toBeNull();
  });

  test("trying again sends a mail, says so, and is not offered before its time", async () => {
    const { card, user, backEnd } = await open(RETURNED, { [TRY]: () => ({ body: TRIED }) });
    await user.click(card.getByRole("button", { name: "Try again" }));
    expect(await screen.findByText("A mail is on its way to isil@example.com.")).toBeTruthy();
    expect(backEnd.sent(TRY)).toHaveLength(1);
    expect(card.getByText(/^A mail was sent there since/)).toBeTruthy();
    expect(card.getByText(/can be tried again from November 20, 2026/)).toBeTruthy();
    expect(card.queryByRole("button", { name: "Try again" })).toBeNull();
  });

  test("a refusal is shown with when to try again, and the card stays", async () => {
    const { card, user } = await open(RETURNED, {
      [TRY]: () => ({
        status: 429,
        body: { detail: "Too many requests.", code: "too_many_requests" },
        headers: { "retry-after": "3600" },
      }),
    });
    await user.click(card.getByRole("button", { name: "Try again" }));
    expect((await card.findByRole("alert")).textContent).toBe(
      "Too many requests. You can try again in 60 minutes.",
    );
  });

  test("what one stopped oneself is got again, and what staff stopped is theirs", async () => {
    const problem = {
      ...RETURNED.problem,
      cause: "unsubscribe",
      scope: "optional",
    } as OwnMailAddress["problem"];
    const own = await open({ ...RETURNED, problem });
    expect(own.card.getByRole("button", { name: "Get it again" })).toBeTruthy();
    expect(own.card.getByText(/^Codes and notices about your account/)).toBeTruthy();
    own.unmount();
    const staffs = { ...RETURNED.problem, cause: "staff" } as OwnMailAddress["problem"];
    const { card } = await open({ ...RETURNED, problem: staffs, can_try: false });
    expect(card.getAllByRole("button").map(({ textContent }) => textContent)).toEqual(["Change address"]);
  });

  test("changing the address opens the form at it", async () => {
    const { card, user } = await open(RETURNED);
    await user.click(card.getByRole("button", { name: "Change address" }));
    const input = screen.getByLabelText<HTMLInputElement>("Email");
    await waitFor(() => expect(document.activeElement).toBe(input));
    expect(input.readOnly).toBe(false);
  });
});

describe("change password", () => {
  const ROUTE = "POST /api/users/password/";

  async function open(routes: Routes = {}) {
    const opened = openProfile({ routes });
    await opened.user.click(await screen.findByRole("button", { name: "Change password" }));
    const dialog = within(screen.getByRole("dialog", { name: "Change password" }));
    async function fill(current: string, next: string, repeated: string) {
      const texts = [
        ["Current password", current],
        ["New password", next],
        ["Confirm new password", repeated],
      ] as const;
      for (const [label, text] of texts) if (text) await opened.user.type(dialog.getByLabelText(label), text);
      await opened.user.click(dialog.getByRole("button", { name: "Change password" }));
    }
    return { ...opened, dialog, fill };
  }

  test("the password is changed, and it is said that other sessions were ended", async () => {
    const { fill, backEnd, user } = await open({
      [ROUTE]: () => ({ body: { success: true, message: "ok" } }),
    });
    await fill("Old-Horse-1", "New-Horse-22", "New-Horse-22");
    expect((await screen.findByText(/All your other sessions were ended/)).getAttribute("role")).toBe(
      "status",
    );
    expect(backEnd.sent(ROUTE)).toEqual([
      { current_password: "Old-Horse-1", new_password: "New-Horse-22", new_password_confirm: "New-Horse-22" },
    ]);
    await user.click(screen.getByRole("button", { name: "Close" }));
    expect(screen.queryByRole("dialog")).toBeNull();
  });

  test.each([
    ["", "New-Horse-22", "New-Horse-22", "Please enter your current password"],
    ["Old-Horse-1", "", "", "Password is required"],
    ["Old-Horse-1", "Short-1", "Short-1", "Use at least 8 characters"],
    ["Old-Horse-1", "x".repeat(129), "x".repeat(129), "Use at most 128 characters"],
    ["Old-Horse-1", "New-Horse-22", "New-Horse-23", "The two passwords are not the same"],
  ])("%j, %j and %j: %s, and nothing is sent", async (current, next, repeated, message) => {
    const { fill, dialog, backEnd } = await open();
    await fill(current, next, repeated);
    expect(dialog.getByText(message)).toBeTruthy();
    expect(backEnd.sent(ROUTE)).toEqual([]);
  });

  test("a wrong current password stands at its field", async () => {
    const message = "This is not your current password.";
    const { fill, dialog } = await open({
      [ROUTE]: () => ({
        status: 400,
        body: {
          detail: "Validation failed",
          errors: [{ field: "current_password", code: "wrong_password", message }],
        },
      }),
    });
    await fill("Wrong-Horse-1", "New-Horse-22", "New-Horse-22");
    expect(await dialog.findByText(message)).toBeTruthy();
    expect(document.activeElement).toBe(dialog.getByLabelText("Current password"));
  });

  test.each([
    [
      { status: 429, body: { detail: "Too many login attempts. Please try again later." } },
      /^Too many login attempts/,
    ],
    [{ status: 500, body: {} }, /^Failed to change password$/],
  ])("another failure is shown above the buttons: %j", async (answer, text) => {
    const { fill, dialog } = await open({ [ROUTE]: () => answer });
    await fill("Old-Horse-1", "New-Horse-22", "New-Horse-22");
    expect((await dialog.findByText(text)).getAttribute("role")).toBe("alert");
  });
});
