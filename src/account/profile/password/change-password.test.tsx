import { expect, test } from "@jest/globals";
import { screen, within } from "@testing-library/react";
import { openProfile, type Routes } from "../test-profile.tsx";

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
  const { fill, backEnd, user } = await open({ [ROUTE]: () => ({ body: { success: true, message: "ok" } }) });
  await fill("Old-Horse-1", "New-Horse-22", "New-Horse-22");
  expect((await screen.findByText(/All your other sessions were ended/)).getAttribute("role")).toBe("status");
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
  [
    "Old-Horse-1",
    "alllowercase",
    "alllowercase",
    "Use at least one lowercase letter, one uppercase letter and one digit",
  ],
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
])("another failure is told above the buttons: %j", async (answer, text) => {
  const { fill, dialog } = await open({ [ROUTE]: () => answer });
  await fill("Old-Horse-1", "New-Horse-22", "New-Horse-22");
  expect((await dialog.findByText(text)).getAttribute("role")).toBe("alert");
});
