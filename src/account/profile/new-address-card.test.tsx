import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { screen, waitFor, within } from "@testing-library/react";
import { keepResendMoment } from "../code-moments.ts";
import { openProfile, type Routes, toProfile } from "./test-profile.tsx";

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

test("a new address that waits for its code is told on the card, and the old one stays", async () => {
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

test("an accepted code is told as one also when the profile can't be loaded after it", async () => {
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
  await waitFor(() => expect(screen.queryByRole("region", { name: "Confirm your new address" })).toBeNull());
  expect(screen.getByLabelText<HTMLInputElement>("Email").value).toBe("new@example.com");
  expect(opened.backEnd.sent(VERIFY)).toHaveLength(1);
  warn.mockRestore();
});

describe("another code", () => {
  // The seconds that are left are told exactly: time stands still.
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
    keepResendMoment("change", PENDING.pending_email, Date.now() - 1);
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
