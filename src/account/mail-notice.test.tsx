import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import { act, cleanup, render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { OwnMailAddress } from "#contract/mail/address.ts";
import { HttpError } from "#providers/http/http.ts";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-en.ts";
import { PageContext } from "../ui/page-context.tsx";
import { toPage } from "../ui/site-layout.tsx";
import MailNotice from "./mail-notice.tsx";

const STATE: OwnMailAddress = {
  email: "ada@example.org",
  problem: {
    state: "returned",
    cause: "bounce",
    scope: null,
    reason: "The mailbox is full.",
    since: "2026-11-20T10:00:00Z",
  },
  can_try: true,
  tried_at: null,
  next_try_at: null,
};
const TEXT = "Mail to ada@example.org comes back: The mailbox is full.";

beforeEach(() => {
  document.documentElement.dataset.session = "user";
});
afterEach(() => {
  delete document.documentElement.dataset.session;
});

async function draw(path: string, state: OwnMailAddress | Error = STATE) {
  const ask = jest.fn(async () => {
    if (state instanceof Error) throw state;
    return state;
  });
  const { container } = await act(async () =>
    render(
      <MemoryRouter>
        <PageContext value={toPage({ ...toRequest("cv"), path }, texts)}>
          <MailNotice ask={ask} />
        </PageContext>
      </MemoryRouter>,
    ),
  );
  return { ask, text: within(container).getByRole("status").textContent };
}

test("mail that comes back is shown, with the way to the profile", async () => {
  expect((await draw("/dev")).text).toBe(`${TEXT} What you can do`);
  expect(screen.getByRole("link", { name: "What you can do" }).getAttribute("href")).toBe("/profile");
});

test("who gets no mail at all is notified, whoever stopped it: no code would reach them", async () => {
  const problem = {
    state: "stopped",
    cause: "staff",
    scope: "all",
    reason: "Somebody who looks after the site stopped it.",
    since: "2026-11-20T10:00:00Z",
  } as const;
  const { text } = await draw("/dev", { ...STATE, problem, can_try: false });
  expect(text).toBe(
    "No mail goes to ada@example.org, not even codes: Somebody who looks after the site stopped it. What you can do",
  );
});

test("nothing is asked on the profile, which says it itself, nor where nobody is signed in", async () => {
  expect((await draw("/profile")).ask).not.toHaveBeenCalled();
  delete document.documentElement.dataset.session;
  expect((await draw("/dev")).ask).not.toHaveBeenCalled();
});

test("nothing is said of mail that arrives, or that somebody stopped on purpose", async () => {
  expect((await draw("/dev", { ...STATE, problem: null })).text).toBe("");
  for (const cause of ["unsubscribe", "complaint", "staff"]) {
    const problem = { ...STATE.problem, state: "stopped", cause, scope: "optional" };
    const state = { ...STATE, problem: problem as OwnMailAddress["problem"] };
    expect((await draw("/dev", state)).text).toBe("");
    cleanup();
  }
});

test("who signed out meanwhile is shown nothing; another failure is said in the console, and the page stays", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const refuse = (status: number) => new HttpError("No", "x", status);
  expect((await draw("/dev", refuse(401))).text).toBe("");
  expect(warn).not.toHaveBeenCalled();
  expect((await draw("/dev", refuse(503))).text).toBe("");
  expect(warn).toHaveBeenCalledTimes(1);
  warn.mockRestore();
});
