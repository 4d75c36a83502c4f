import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { screen, waitFor } from "@testing-library/react";
import { HttpError } from "#providers/http/http.ts";
import { createServices, openScreen, settle, toSession } from "../test-screen.tsx";
import { SetupPage } from "./setup-page.tsx";

const PATH = "/api/users/setup/";
const OWNER = {
  username: "ada_l",
  email: "ada@example.org",
  password: "Correct1horse",
  password_confirm: "Correct1horse",
};

/** GET and POST go to one path; only the second has a body. */
const answerWith = (is_open: boolean, made: unknown) => (body: unknown) => (body ? made : { is_open });

beforeEach(() => sessionStorage.clear());
afterEach(() => window.history.replaceState(null, "", "/"));

async function open({ hash = "#token-1", isOpen = true, made = toSession(999) as unknown } = {}) {
  window.history.replaceState(null, "", `/setup${hash}`);
  const fake = createServices({ [PATH]: answerWith(isOpen, made) });
  const user = openScreen(<SetupPage services={fake.services} />, "setup");
  await settle();
  const fill = async (values: Partial<typeof OWNER> = {}) => {
    const all = { ...OWNER, ...values };
    await user.type(screen.getByLabelText("Username"), all.username);
    await user.type(screen.getByLabelText("Email"), all.email);
    await user.type(screen.getByLabelText("Password"), all.password);
    await user.type(screen.getByLabelText("Confirm password"), all.password_confirm);
    await user.click(screen.getByRole("button", { name: "Create the owner" }));
    await settle();
  };
  return { ...fake, user, fill };
}

describe("the token", () => {
  test("leaves the address bar and survives a reload", async () => {
    await open();
    expect(window.location.href).not.toContain("token-1");
    document.body.replaceChildren();
    const { fill, calls } = await open({ hash: "" });
    await fill();
    expect(calls.at(-1)?.body).toEqual({ token: "token-1", ...OWNER });
  });

  test("of a link that is opened where the page is open already counts too", async () => {
    const { fill, calls } = await open({ hash: "" });
    expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("This link is not complete");
    window.location.hash = "#token-2";
    await waitFor(() =>
      expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Set up your site"),
    );
    expect(window.location.href).not.toContain("token-2");
    await fill();
    expect(calls.at(-1)?.body).toEqual({ token: "token-2", ...OWNER });
  });

  test("of a newer link takes the place of an older one, and what was typed stays", async () => {
    const { user, calls } = await open({ hash: "#token-1" });
    await user.type(screen.getByLabelText("Username"), "ada_l");
    window.location.hash = "#token-2";
    await waitFor(() => expect(window.location.hash).toBe(""));
    await settle();
    expect(screen.getByLabelText<HTMLInputElement>("Username").value).toBe("ada_l");
    expect(calls).toHaveLength(2);
  });

  test("is forgotten once it was used", async () => {
    const { fill } = await open();
    await fill();
    expect(Object.values({ ...sessionStorage }).join()).not.toContain("token-1");
  });
});

test.each([
  ["that has an owner", { isOpen: false }, "This site has an owner"],
  ["without a token", { hash: "" }, "This link is not complete"],
])("a site %s says so, with the way to log in", async (_case, options, title) => {
  await open(options);
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe(title);
  expect(screen.getByRole("main").querySelector('a[href="/login"]')?.textContent).toBe("Log in");
  expect(screen.queryByRole("textbox")).toBeNull();
});

test("a server that can't be asked is said, with the way to try again", async () => {
  const warn = jest.spyOn(console, "warn").mockImplementation(() => {});
  const fake = createServices({ [PATH]: new HttpError("Failed to fetch", "network_error") });
  openScreen(<SetupPage services={fake.services} />, "setup");
  await settle();
  expect(screen.getByRole("alert").textContent).toContain("can't be reached");
  expect(screen.getByRole("button", { name: "Try again" })).toBeTruthy();
  warn.mockRestore();
});

test("the owner is made, signed in, and led to the console", async () => {
  const made = toSession(999);
  const { fill, adopt, goTo } = await open({ made });
  await fill();
  expect(adopt).toHaveBeenCalledWith(made);
  expect(goTo?.mock.calls).toEqual([["/admin"]]);
});

test("faults are shown under their fields, and nothing is sent", async () => {
  const { fill, calls } = await open();
  await fill({ username: "a b", password_confirm: "x" });
  expect(screen.getByText("Use letters (A to Z), digits and underscores only")).toBeTruthy();
  expect(screen.getByText("The two passwords are not the same")).toBeTruthy();
  expect(calls.filter(({ body }) => body)).toEqual([]);
});

test("a link that is not good any more is reported, and what was typed stays", async () => {
  const text = "This set-up link is not valid any more.";
  const { fill } = await open({ made: new HttpError(text, "setup_link_invalid", 403) });
  await fill();
  expect(screen.getByRole("alert").textContent).toBe(text);
  expect(screen.getByLabelText<HTMLInputElement>("Username").value).toBe("ada_l");
});

test("a site that somebody else set up meanwhile says so", async () => {
  const { fill } = await open({ made: new HttpError("x", "setup_closed", 409) });
  await fill();
  expect(screen.getByText("This site has an owner")).toBeTruthy();
});
