import { afterEach, expect, test } from "@jest/globals";
import { cleanup, screen } from "@testing-library/react";
import { userEvent } from "@testing-library/user-event";
import { fillInBrowser, renderAdmin } from "../test-admin.tsx";

afterEach(cleanup);

async function open(lang: "en" | "tr", isRoomy: boolean) {
  fillInBrowser();
  const { matchMedia } = window;
  window.matchMedia = (query) =>
    query.includes("min-width") ? Object.assign(matchMedia(query), { matches: isRoomy }) : matchMedia(query);
  await renderAdmin({ address: "/admin/models", lang, models: [], server: () => ({ status: 404 }) });
}

test.each([
  ["en", true, "View site", "/en/cv"],
  ["tr", false, "Siteyi gör", "/tr/cv"],
] as const)(
  "the public site is one link away, in the reader's language (%s)",
  async (lang, isRoomy, name, to) => {
    await open(lang, isRoomy);
    expect(screen.getByRole("link", { name }).getAttribute("href")).toBe(to);
  },
);

test("the link follows a change of the language", async () => {
  await open("en", true);
  await userEvent.click(screen.getByRole("button", { name: /Türkçe/ }));
  expect(screen.getByRole("link", { name: "Siteyi gör" }).getAttribute("href")).toBe("/tr/cv");
});

test("a double click on a language saves it once", async () => {
  const writes: string[] = [];
  fillInBrowser();
  await renderAdmin({
    address: "/admin/models",
    models: [],
    server({ method, url }) {
      if (method !== "GET") writes.push(`${method} ${url.pathname}`);
      return { status: 404 };
    },
  });
  await userEvent.dblClick(screen.getByRole("button", { name: /Türkçe/ }));
  expect(writes).toEqual(["PUT /api/users/profile/"]);
});

test("a narrow bar has log-out and language once, behind the account's button", async () => {
  await open("en", false);
  const menu = document.querySelector("#account-menu");
  expect(screen.getByRole("button", { name: /^Account/ }).getAttribute("popovertarget")).toBe("account-menu");
  expect(menu?.contains(screen.getByRole("button", { name: "Log out" }))).toBe(true);
  expect(menu?.contains(screen.getByRole("group", { name: "Language" }))).toBe(true);
});
