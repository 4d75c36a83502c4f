import { expect, test } from "@jest/globals";
import { render, screen, within } from "@testing-library/react";
import { MemoryRouter } from "react-router";
import type { PageLink } from "#contract/site/site.ts";
import { toRequest } from "../head/test-request.ts";
import { texts } from "../public-texts-en.ts";
import { PublicApp, toPage } from "./site-layout.tsx";

function drawWith(pages: readonly PageLink[], path = "/cv") {
  const request = toRequest("contact");
  const site = { ...request.site, pages: [...pages] };
  render(
    <MemoryRouter initialEntries={[path]}>
      <PublicApp page={{ ...toPage(request, texts), path, site }} screen={<h1>Here</h1>} />
    </MemoryRouter>,
  );
}

const inBar = (...titles: string[]): PageLink[] =>
  titles.map((title, index) => ({ slug: `page-${index}`, title, lang: null, place: "bar" }));

const bar = () => screen.getByRole("navigation", { hidden: true });
/** Names of the bar's links, and of those in its menu. */
function readBar() {
  const menu = bar().querySelector<HTMLElement>(".site-menu-links details");
  const inMenu = menu ? within(menu).getAllByRole("link", { hidden: true }) : [];
  const list = bar().querySelector<HTMLElement>(".site-menu-links");
  const all = list ? within(list).getAllByRole("link", { hidden: true }) : [];
  const names = (links: HTMLElement[]) => links.map(({ textContent }) => textContent);
  return { shown: names(all.filter((link) => !inMenu.includes(link))).slice(3), menu: names(inMenu) };
}

test("short pages stand beside the bar's own links, in their order", () => {
  drawWith(inBar("About", "Now"));
  expect(readBar()).toEqual({ shown: ["About", "Now"], menu: [] });
});

test("of seven pages those that fit stand in the bar, the others in a menu that says so", () => {
  drawWith(inBar("About", "Now", "Lectures", "Uses", "Reading", "Press", "Colophon"));
  expect(readBar()).toEqual({
    shown: ["About", "Now"],
    menu: ["Lectures", "Uses", "Reading", "Press", "Colophon"],
  });
  expect(within(bar()).getByText("More")).toBeTruthy();
});

test("a single page, however long its title, needs no menu", () => {
  drawWith(inBar("Everything that I have ever written about databases"));
  expect(readBar().menu).toEqual([]);
});

test("a page in the footer is named there alone, in the language of its title, and marked while it is shown", () => {
  drawWith([{ slug: "kunye", title: "Künye", lang: "tr", place: "footer" }], "/kunye");
  const link = within(screen.getByRole("contentinfo")).getByRole("link", { name: "Künye" });
  expect(link.getAttribute("href")).toBe("/kunye");
  expect(link.getAttribute("lang")).toBe("tr");
  expect(link.getAttribute("aria-current")).toBe("page");
  expect(readBar()).toEqual({ shown: [], menu: [] });
});
