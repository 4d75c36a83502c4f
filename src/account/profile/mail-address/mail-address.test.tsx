import { beforeEach, expect, test } from "@jest/globals";
import { screen, waitFor, within } from "@testing-library/react";
import type { OwnMailAddress } from "#contract/mail/address.ts";
import { openProfile, type Routes } from "../test-profile.tsx";

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

test("a person is told that their mail comes back and why, and nothing while it arrives", async () => {
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

test("a refusal is told with when to try again, and the card stays", async () => {
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
