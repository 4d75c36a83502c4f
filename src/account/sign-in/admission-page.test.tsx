import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react";
import type { RegistrationMode } from "#contract/site/site.ts";
import { HttpError } from "#providers/http/http.ts";
import { SITE_INFO } from "#test/site-info.ts";
import { texts } from "../account-texts-en.ts";
import { createServices, openScreen } from "../test-screen.tsx";
import { AdmissionPage, WaitingPage } from "./admission-page.tsx";

const PATH = "/api/users/invitation/";

beforeEach(() => sessionStorage.clear());
afterEach(() => window.history.replaceState(null, "", "/"));

function open(registration: RegistrationMode, { query = "", answer = {} as unknown } = {}) {
  window.history.replaceState(null, "", `/register${query}`);
  const fake = createServices({ [PATH]: answer });
  openScreen(<AdmissionPage texts={texts} services={fake.services} />, "admission", query, {
    ...SITE_INFO,
    registration,
  });
  return fake;
}

const hrefOf = (name: string) => screen.getByRole("link", { name }).getAttribute("href");

describe("where registration is closed", () => {
  test("says so, and leads to the log-in and to the owner; an invitation changes nothing", async () => {
    const { calls } = open("closed", { query: "?invitation=good" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("No new accounts");
    expect([hrefOf("Log in"), hrefOf("Write to the owner")]).toEqual(["/login", "/contact"]);
    expect(calls).toEqual([]);
  });
});

describe("where registration is by invitation", () => {
  test("says so to who comes without one", async () => {
    const { calls } = open("invitation");
    expect(await screen.findByText(/needs an invitation: open the link/)).toBeTruthy();
    expect(hrefOf("Log in")).toBe("/login");
    expect(calls).toEqual([]);
  });

  test("a link that is over is told before anything is typed", async () => {
    const { calls } = open("invitation", { query: "?invitation=old", answer: { is_good: false } });
    expect(await screen.findByRole("heading", { name: "This invitation is over" })).toBeTruthy();
    expect(calls).toEqual([{ path: PATH, body: { invitation: "old" } }]);
    expect(screen.queryByLabelText("Username")).toBeNull();
  });

  test.each([
    ["a good link", { is_good: true }],
    ["a server that can't be asked now", new HttpError("away", "offline", 0)],
  ])("with %s the form is there", async (_name, answer) => {
    open("invitation", { query: "?invitation=good", answer });
    await waitFor(() => expect(screen.getByLabelText("Username")).toBeTruthy());
    expect(screen.getByRole("heading", { name: "Register" })).toBeTruthy();
  });

  test("the way back to edit an address needs no link again", async () => {
    sessionStorage.setItem("invitation", "good");
    const { calls } = open("invitation", { answer: { is_good: true } });
    await waitFor(() => expect(calls).toEqual([{ path: PATH, body: { invitation: "good" } }]));
  });
});

test("who waits reads what comes next, and asks the server nothing", () => {
  openScreen(<WaitingPage />, "waiting");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Your account is waiting");
  expect(screen.getAllByRole("listitem").map(({ textContent }) => textContent)).toContain(
    "You get an email with the answer.",
  );
  expect([hrefOf("Log in"), hrefOf("Write to the owner")]).toEqual(["/login", "/contact"]);
});
